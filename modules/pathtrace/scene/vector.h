#pragma once
// Vectors, and maps of space, in double, for scenes before they go to the device.

#include <array>
#include <cmath>
#include <numbers>

namespace lacuna::pathtrace {

inline double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

struct Vec2 {
  double x = 0, y = 0;
  bool operator==(const Vec2&) const = default;
};

struct Vec3 {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator*(const Vec3& a, const Vec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline Vec3 operator*(const Vec3& a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3& a) {
  return std::sqrt(dot(a, a));
}
// For a vector that is not zero.
inline Vec3 normalised(const Vec3& a) {
  return a * (1.0 / length(a));
}

// p -> rows * (p, 1): an affine map, row by row.
struct Affine {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  bool operator==(const Affine&) const = default;
};

inline Vec3 mapVector(const Affine& m, const Vec3& v) {
  const auto& r = m.rows;
  return {r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z, r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
          r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z};
}
inline Vec3 mapPoint(const Affine& m, const Vec3& p) {
  return mapVector(m, p) + Vec3{m.rows[0][3], m.rows[1][3], m.rows[2][3]};
}
// Transforms normals of a map's objects by its inverse, not to unit length.
inline Vec3 mapNormal(const Affine& inverse, const Vec3& n) {
  const auto& r = inverse.rows;
  return {r[0][0] * n.x + r[1][0] * n.y + r[2][0] * n.z, r[0][1] * n.x + r[1][1] * n.y + r[2][1] * n.z,
          r[0][2] * n.x + r[1][2] * n.y + r[2][2] * n.z};
}

}  // namespace lacuna::pathtrace
