#pragma once
// Numbers of 16 bits (IEEE 754 binary16) from and to floats.

#include <bit>
#include <cstdint>

namespace lacuna::door {

inline float fromHalf(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16U;
  const uint32_t exponent = half >> 10U & 31U, fraction = half & 0x3ffU;
  if (exponent == 31) {  // infinities and NaN
    return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13U);
  }
  if (exponent == 0) {  // zeros and subnormal numbers: multiples of 2^-24
    const float size = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(size));
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23U | fraction << 13U);
}

// The nearest, of two the even one; beyond the largest one infinity.
inline uint16_t toHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), size = bits & 0x7fffffffU;
  const auto sign = static_cast<uint16_t>(bits >> 16U & 0x8000U);
  if (size > 0x7f800000U) {
    return sign | 0x7e00U;
  }
  if (size >= 0x477ff000U) {  // from 65520 on
    return sign | 0x7c00U;
  }
  if (size < 0x38800000U) {
    // Adding .5 puts multiples of 2^-24 into the lowest bits, rounded by the addition.
    const float shifted = std::bit_cast<float>(size) + 0.5F;
    return sign | static_cast<uint16_t>(std::bit_cast<uint32_t>(shifted) - 0x3f000000U);
  }
  const uint32_t odd = size >> 13U & 1U;
  return sign | static_cast<uint16_t>((size + 0xfffU + odd - (112U << 23U)) >> 13U);
}

}  // namespace lacuna::door
