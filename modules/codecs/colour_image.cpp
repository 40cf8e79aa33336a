#include "modules/codecs/colour_image.h"

#include <fmt/format.h>

#include <cmath>

#include "graph/files/memory_bound.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/image_file.h"

namespace lacuna {
namespace {

float fromSrgb(float v) {
  return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

ColourImage loadColour(const std::string& path) {
  const std::string codec = codecOfFile(path);
  const ValueType type = probeImage(codec, path, {"output"}).at("output");
  checkMemory(path, byteSize(type) + uint64_t{12} * type.extent.width * type.extent.height);
  std::vector<std::byte> pixels(byteSize(type));
  readImage(codec, path, "output", type, pixels);
  const int components = componentCount(type.channels);
  if (components == 2 || type.format == Format::u32)
    throw FileError(
        fmt::format("{}: {} is no colour; expected one, three or four components", path, print(type)));
  const bool encoded = io::codecOfWord(codec)->isEncoded();
  const size_t count = size_t{type.extent.width} * type.extent.height;
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  ColourImage image{type.extent, type.colour, std::vector<float>(3 * count)};
  const double opaque = 1.0;
  for (size_t i = 0; components == 4 && i < count && !image.hasAlpha; ++i)
    image.hasAlpha = io::componentAt(pixels.data() + i * pixelBytes, 3, type.format) != opaque;
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    const float value =
        io::componentAt(pixels.data() + i / 3 * pixelBytes, components == 1 ? 0 : i % 3, type.format);
    image.rgb[i] = encoded ? fromSrgb(value) : value;
  }
  return image;
}

}  // namespace lacuna
