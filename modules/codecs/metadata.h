#pragma once
// Data of PNG and JPEG files beside their pixels. Inside modules/codecs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "modules/codecs/icc.h"

namespace lacuna::io {

struct Density {
  enum class Unit { none, inch, centimetre, metre };
  uint32_t x = 1, y = 1;  // pixels for each unit; without a unit, the pixel's shape
  Unit unit = Unit::none;
  bool operator==(const Density&) const = default;
};

struct PngChunk {
  std::string name;  // "tEXt"
  std::vector<std::byte> data;
};

struct JpegSegment {
  int marker = 0;
  std::vector<std::byte> data;
};

struct Metadata {
  std::vector<std::byte> exif = {};  // TIFF
  std::string xmp = {};
  std::vector<std::string> comments = {};
  std::optional<Density> density = {};
  ColourDescription colour = {};
  std::vector<PngChunk> colourChunks = {};  // cICP, mDCV, cLLI, sRGB, gAMA, cHRM: unchanged
  // Data that only the same format can hold: chunks that are safe to copy, Photoshop's and IPTC's segments.
  std::vector<PngChunk> pngChunks = {};
  std::vector<JpegSegment> jpegSegments = {};
  std::vector<std::string> lost = {};  // what no written file keeps: "its animation"
};

}  // namespace lacuna::io
