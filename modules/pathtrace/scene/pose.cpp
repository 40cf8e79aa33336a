#include "pathtrace/scene/pose.h"

#include <algorithm>
#include <cmath>

namespace lacuna::pathtrace {
namespace {

double mix(double a, double b, double t) {
  return a + (b - a) * t;
}
Vec3 mix(const Vec3& a, const Vec3& b, double t) {
  return a + (b - a) * t;
}

Quaternion unit(const Quaternion& q) {
  const double scale = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

Quaternion weighted(const Quaternion& a, double wa, const Quaternion& b, double wb) {
  return {wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
}

// On the shorter of the two arcs, since q and -q are one rotation.
Quaternion slerp(const Quaternion& a, const Quaternion& b, double t) {
  double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  const double sign = cosine < 0 ? -1.0 : 1.0;
  cosine *= sign;
  constexpr double nearlyEqual = 1.0 - 1e-9;  // cosine above which the sines below are too small to divide by
  if (cosine > nearlyEqual)
    return unit(weighted(a, 1 - t, b, sign * t));
  const double angle = std::acos(cosine);
  return unit(weighted(a, std::sin((1 - t) * angle), b, sign * std::sin(t * angle)));
}

// The keys around a moment, and its position between them.
template <typename Key>
struct KeysAround {
  const Key& first;
  const Key& second;
  double t;
};
template <typename Key>
KeysAround<Key> keysAround(const std::vector<Key>& keys, double frame) {
  const auto later = std::ranges::find_if(keys, [&](const Key& key) { return key.frame > frame; });
  if (later == keys.begin() || later == keys.end()) {
    const Key& still = later == keys.end() ? keys.back() : keys.front();
    return {still, still, 0.0};
  }
  const Key& earlier = *(later - 1);
  return {earlier, *later, (frame - earlier.frame) / (later->frame - earlier.frame)};
}

std::array<std::array<double, 3>, 3> matrix(const Quaternion& q) {
  return {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
           {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
           {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

// Unit vectors along the view and to its right. Keyframes may lead through moments without a direction, with
// the eye in the target or `up` along the view: then some direction is used.
struct Axes {
  Vec3 forward, right;
};
Axes viewAxes(const Vec3& view, const Vec3& up) {
  const Vec3 forward = length(view) > 0 ? normalised(view) : Vec3{0, 0, -1};
  Vec3 right = cross(forward, up);
  if (length(right) <= 1e-12 * length(up))
    right = cross(forward, std::abs(forward.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0});
  return {forward, normalised(right)};
}

double sharpDepth(const CameraKey& key) {
  return key.focus > 0 ? key.focus : length(key.target - key.eye);
}

}  // namespace

Quaternion rotation(const Vec3& axis, double degrees) {
  const double half = radians(degrees) / 2;
  const Vec3 v = normalised(axis) * std::sin(half);
  return {std::cos(half), v.x, v.y, v.z};
}

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Pose poseAt(const Object& object, double frame) {
  const auto [first, second, t] = keysAround(object.keys, frame);
  const Pose& a = first.pose;
  const Pose& b = second.pose;
  return {mix(a.translate, b.translate, t), slerp(a.rotate, b.rotate, t), mix(a.scale, b.scale, t)};
}

Affine objectToWorld(const Pose& pose) {
  const auto r = matrix(pose.rotate);
  const Vec3& s = pose.scale;
  const double translate[] = {pose.translate.x, pose.translate.y, pose.translate.z};
  Affine map;
  for (size_t row = 0; row < 3; ++row)
    map.rows[row] = {r[row][0] * s.x, r[row][1] * s.y, r[row][2] * s.z, translate[row]};
  return map;
}

Affine worldToObject(const Pose& pose) {
  const auto r = matrix(pose.rotate);
  const double inverse[] = {1 / pose.scale.x, 1 / pose.scale.y, 1 / pose.scale.z};
  const Vec3& t = pose.translate;
  Affine map;
  for (size_t row = 0; row < 3; ++row) {
    const double x = r[0][row] * inverse[row], y = r[1][row] * inverse[row], z = r[2][row] * inverse[row];
    map.rows[row] = {x, y, z, -(x * t.x + y * t.y + z * t.z)};
  }
  return map;
}

Lens lensAt(const std::vector<CameraKey>& keys, double frame, int width, int height) {
  const auto [a, b, t] = keysAround(keys, frame);
  const Vec3 eye = mix(a.eye, b.eye, t);
  const Vec3 target = mix(a.target, b.target, t);
  const Axes view = viewAxes(target - eye, mix(a.up, b.up, t));
  const double halfHeight = std::tan(radians(mix(a.fov, b.fov, t)) / 2);
  const bool followsTarget = a.focus <= 0 && b.focus <= 0;
  Lens lens;
  lens.eye = eye;
  lens.forward = view.forward;
  lens.right = view.right * (halfHeight * width / height);
  lens.up = cross(view.right, view.forward) * halfHeight;
  lens.aperture = mix(a.aperture, b.aperture, t);
  lens.focus = followsTarget ? length(target - eye) : mix(sharpDepth(a), sharpDepth(b), t);
  return lens;
}

}  // namespace lacuna::pathtrace
