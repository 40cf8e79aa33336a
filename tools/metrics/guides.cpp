#include "tools/metrics/guides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "modules/codecs/half_float.h"

namespace lacuna {
namespace {

constexpr float likeNormal = 0.1F;
constexpr float likeDepth = 0.035F;  // relative
constexpr float noNormal = 0.01F, wholeNormal = 0.9F;

// The largest difference of components; what isn't finite is like all else.
float difference(const FloatPlane& plane, size_t a, size_t b) {
  float most = 0;
  for (size_t c = 0; c < plane.components; ++c) {
    const float apart =
        std::abs(plane.values[a * plane.components + c] - plane.values[b * plane.components + c]);
    most = std::max(most, std::isfinite(apart) ? apart : 0.0F);
  }
  return most;
}

double shareAlone(const FloatPlane& plane, float like) {
  const size_t width = plane.extent.width, height = plane.extent.height;
  size_t alone = 0;
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const size_t i = y * width + x;
      float least = std::numeric_limits<float>::max();
      const auto look = [&](bool isInside, size_t other) {
        least = isInside ? std::min(least, difference(plane, i, other)) : least;
      };
      look(x > 0, i - 1);
      look(x + 1 < width, i + 1);
      look(y > 0, i - width);
      look(y + 1 < height, i + width);
      alone += least > like && least < std::numeric_limits<float>::max() ? 1 : 0;
    }
  return static_cast<double>(alone) / static_cast<double>(width * height);
}

}  // namespace

FloatPlane readFloats(const std::string& path, const std::string& plane, const ReadOptions& options) {
  const std::string codec = codecOfFile(path);
  const ValueType type = probeImage(codec, path, {plane}, options).at(plane);
  if (type.format != Format::f16 && type.format != Format::f32)
    throw FileError(fmt::format("{}: its numbers are {}; expected f16 or f32", path, name(type.format)));
  std::vector<std::byte> bytes(byteSize(type));
  readImage(codec, path, plane, type, bytes, options);
  const size_t wordBytes = type.format == Format::f16 ? 2 : 4;
  FloatPlane floats{bytesPerPixel(type.channels, type.format) / wordBytes, type.extent, {}};
  floats.values.resize(bytes.size() / wordBytes);
  for (size_t i = 0; i < floats.values.size(); ++i)
    floats.values[i] = io::componentAt(bytes.data(), i, type.format);
  return floats;
}

double shareOfNoise(FloatPlane values, std::string_view plane) {
  if (plane != "depth")
    return shareAlone(values, likeNormal);
  for (float& value : values.values)
    value = std::log(std::max(value, std::numeric_limits<float>::min()));
  return shareAlone(values, likeDepth);
}

double shareOfMixtures(const FloatPlane& normals) {
  const size_t pixels = normals.values.size() / normals.components;
  size_t mixed = 0;
  for (size_t i = 0; i < pixels; ++i) {
    float squares = 0;
    for (size_t c = 0; c < normals.components; ++c)
      squares += normals.values[i * normals.components + c] * normals.values[i * normals.components + c];
    mixed += squares > noNormal * noNormal && squares < wholeNormal * wholeNormal ? 1 : 0;
  }
  return static_cast<double>(mixed) / static_cast<double>(pixels);
}

}  // namespace lacuna
