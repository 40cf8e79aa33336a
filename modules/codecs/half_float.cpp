#include "modules/codecs/half_float.h"

#include <algorithm>

namespace lacuna::io {

bool isAlphaNoisy(const ValueType& type, std::span<const std::byte> pixels) {
  constexpr float step = 0.1F;  // a change of alpha
  const size_t width = type.extent.width, height = type.extent.height;
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const auto alphaAt = [&](size_t at) {
    return componentAt(pixels.data() + at * pixelBytes, 3, type.format);
  };
  size_t changes = 0, alone = 0;
  for (size_t y = 1; y + 1 < height; ++y)
    for (size_t x = 1; x + 1 < width; ++x) {
      const size_t at = y * width + x;
      const float own = alphaAt(at);
      const auto [least, most] =
          std::minmax({alphaAt(at - 1), alphaAt(at + 1), alphaAt(at - width), alphaAt(at + width)});
      changes += std::max(most, own) - std::min(least, own) > step ? 1 : 0;
      alone += own > most + step || own < least - step ? 1 : 0;
    }
  return alone >= 32 && alone * 20 > changes;
}

}  // namespace lacuna::io
