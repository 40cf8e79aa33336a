#pragma once
// Numbers as the device has them: floats by their bits, four to an element.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "pathtrace/scene/device_scene.h"
#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace {

// The nearest float; finite, also for what is beyond floats.
inline float nearestFloat(double v) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(v, -most, most));
}
inline float floatBelow(double v) {
  const float f = nearestFloat(v);
  return double{f} > v ? std::nextafterf(f, -std::numeric_limits<float>::infinity()) : f;
}
inline float floatAbove(double v) {
  const float f = nearestFloat(v);
  return double{f} < v ? std::nextafterf(f, std::numeric_limits<float>::infinity()) : f;
}

inline uint32_t bits(float f) {
  return std::bit_cast<uint32_t>(f);
}
inline Words floats(float x, float y, float z, float w) {
  return {bits(x), bits(y), bits(z), bits(w)};
}
inline Words words(const Vec3& v, uint32_t last) {
  return {bits(nearestFloat(v.x)), bits(nearestFloat(v.y)), bits(nearestFloat(v.z)), last};
}
inline Words words(const Vec3& v, double last = 0) {
  return words(v, bits(nearestFloat(last)));
}

}  // namespace lacuna::pathtrace
