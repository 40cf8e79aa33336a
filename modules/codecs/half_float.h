#pragma once
// One component of a pixel in memory as a float, and back. Inside modules/codecs only, since it includes
// Imath.

#include <ImathConfig.h>
#include <half.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graph/values/image_type.h"

namespace lacuna::io {

inline float componentAt(const std::byte* pixel, size_t component, Format format) {
  switch (format) {
    case Format::f16: {
      uint16_t bits;
      std::memcpy(&bits, pixel + 2 * component, 2);
      half value;
      value.setBits(bits);
      return value;
    }
    case Format::f32: {
      float value;
      std::memcpy(&value, pixel + 4 * component, 4);
      return value;
    }
    case Format::u16: {
      uint16_t value;
      std::memcpy(&value, pixel + 2 * component, 2);
      return static_cast<float>(value) / 65535.0F;
    }
    case Format::u8:
      return static_cast<float>(std::to_integer<uint8_t>(pixel[component])) / 255.0F;
    case Format::u32:
      break;
  }
  return 0.0F;
}

// As a half or a float.
inline void storeComponent(std::byte* at, float value, Format format) {
  if (format == Format::f16) {
    const uint16_t bits = half(value).bits();
    std::memcpy(at, &bits, 2);
  } else {
    std::memcpy(at, &value, 4);
  }
}

}  // namespace lacuna::io
