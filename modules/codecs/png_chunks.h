#pragma once
// The chunks of a PNG file, without libpng: also those behind the pixels, and unknown ones.

#include <cstdio>
#include <string>
#include <vector>

#include "modules/codecs/metadata.h"

namespace lacuna::io {

// Everything except the profile, which libpng reads. Damaged chunks are omitted.
Metadata readPngChunks(std::FILE* file);

PngChunk xmpChunk(const std::string& xmp);
PngChunk commentChunk(const std::string& text);
PngChunk densityChunk(const Density& density);

}  // namespace lacuna::io
