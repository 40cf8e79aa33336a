#pragma once
// A number that a device computes in 32-bit float: its value in exact arithmetic, and the largest error by
// the device's rounding. Running error analysis: Higham 2002, Accuracy and Stability of Numerical Algorithms,
// section 3.3. We differ: an operation errs by as much as Vulkan allows ("Precision of core SPIR-V
// Instructions"), not by one rounding.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lacuna::test {

struct DeviceFloat {
  static constexpr double rounding = 0x1p-24;  // relative, to nearest

  double value = 0.0;
  double error = 0.0;  // absolute

  constexpr DeviceFloat() = default;
  // For a number that float holds.
  constexpr DeviceFloat(double exact) : value(exact) {}
  // `inherited`: from the operands.
  DeviceFloat(double result, double inherited, double roundings)
      : value(result),
        error(inherited + (roundings > 0.0 ? roundings * rounding * (std::abs(result) + inherited) : 0.0)) {}
  // For a number that is rounded to float, as constants and parameters are.
  static DeviceFloat nearest(double number) { return {number, 0.0, 1.0}; }
};

inline DeviceFloat operator-(const DeviceFloat& a) {
  return {-a.value, a.error, 0.0};
}
inline DeviceFloat operator+(const DeviceFloat& a, const DeviceFloat& b) {
  return {a.value + b.value, a.error + b.error, 1.0};
}
inline DeviceFloat operator-(const DeviceFloat& a, const DeviceFloat& b) {
  return a + -b;
}
inline DeviceFloat operator*(const DeviceFloat& a, const DeviceFloat& b) {
  const double inherited = std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
  return {a.value * b.value, inherited, 1.0};
}
// 2.5 units in the last place; unbounded where the divisor may be 0.
inline DeviceFloat operator/(const DeviceFloat& a, const DeviceFloat& b) {
  const double least = std::abs(b.value) - b.error;
  const double quotient = a.value / b.value;
  const double inherited = least > 0.0 ? (a.error + std::abs(quotient) * b.error) / least
                                       : std::numeric_limits<double>::infinity();
  return {quotient, inherited, 5.0};
}

inline DeviceFloat abs(const DeviceFloat& a) {
  return {std::abs(a.value), a.error, 0.0};
}
// The smaller number has no effect, whatever its error.
inline DeviceFloat max(const DeviceFloat& a, const DeviceFloat& b) {
  const double value = std::max(a.value, b.value);
  const double least = std::max(a.value - a.error, b.value - b.error);
  const double most = std::max(a.value + a.error, b.value + b.error);
  return {value, std::max(value - least, most - value), 0.0};
}
// Computed as 1 / inversesqrt: 2.5 units and 2. The number's exact value is not below 0.
inline DeviceFloat sqrt(const DeviceFloat& a) {
  const double root = std::sqrt(a.value);
  const double below = root - std::sqrt(std::max(a.value - a.error, 0.0));
  return {root, std::max(below, std::sqrt(a.value + a.error) - root), 9.0};
}

using DeviceRgb = std::array<DeviceFloat, 3>;

// Rec. 709.
inline DeviceFloat deviceLuminance(const DeviceRgb& c) {
  return DeviceFloat::nearest(0.212639006) * c[0] + DeviceFloat::nearest(0.715168679) * c[1] +
         DeviceFloat::nearest(0.072192315) * c[2];
}

}  // namespace lacuna::test
