#pragma once
// libpng reports errors by longjmp: functions that call setjmp have no locals with destructors, and what they
// change lives in a struct of their caller.

#include <png.h>

#include <array>

#include "modules/codecs/codec.h"

namespace lacuna::io {

// The target of libpng's error pointer.
struct PngMessages {
  using Text = std::array<char, 128>;
  Text error{};
  Text profile{}, gamma{}, chromaticities{};  // the first warning about iCCP, gAMA and cHRM
};

[[noreturn]] void onPngError(png_structp png, png_const_charp message);
void onPngWarning(png_structp png, png_const_charp message);

// The chunks of a file, without libpng: also those behind the pixels, and unknown ones. Everything except the
// profile, which libpng reads. Damaged chunks are omitted.
Metadata readPngChunks(std::FILE* file);
PngChunk xmpChunk(const std::string& xmp);
PngChunk commentChunk(const std::string& text);
PngChunk densityChunk(const Density& density);

extern const Codec pngCodec;

void writePng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);

}  // namespace lacuna::io
