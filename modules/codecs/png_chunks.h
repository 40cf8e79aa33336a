#pragma once
// The chunks of a PNG file, without libpng: those behind the pixels too, and unknown ones.

#include <cstdio>
#include <string>
#include <vector>

#include "modules/codecs/metadata.h"

namespace lacuna::io {

// The chunk of a name, wherever it stands. Empty where there is none, or its checksum is wrong.
std::vector<std::byte> findPngChunk(std::FILE* file, const std::string& name);

// All but the profile, which libpng reads. Damaged chunks are left out.
Metadata readPngChunks(std::FILE* file);

PngChunk xmpChunk(const std::string& xmp);
PngChunk commentChunk(const std::string& text);
PngChunk densityChunk(const Density& density);

}  // namespace lacuna::io
