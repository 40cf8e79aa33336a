// A head-like mesh: a sphere whose radius depends on the direction, with bumps for the parts of a face. Its
// normal is the gradient of |p| - radius(p / |p|), so that it is smooth at the poles too.

#include <cmath>
#include <numbers>

#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/shapes.h"

namespace lacuna::pathtrace {
namespace {

// exp(-angle^2 / width^2), with angles in x and y as in a picture of the face.
struct Bump {
  Vec3 towards;
  double height, width;
};

const std::vector<Bump>& bumps() {
  static const std::vector<Bump> all = {
      {{0, -0.12, 1}, 0.17, 0.13},     {{0, 0.05, 1}, 0.09, 0.12},        // nose, its bridge
      {{0.36, 0.16, 1}, -0.09, 0.17},  {{-0.36, 0.16, 1}, -0.09, 0.17},   // sockets
      {{0.34, 0.15, 1}, 0.055, 0.085}, {{-0.34, 0.15, 1}, 0.055, 0.085},  // eyes
      {{0.3, 0.36, 1}, 0.05, 0.2},     {{-0.3, 0.36, 1}, 0.05, 0.2},      // brows
      {{0.5, -0.2, 0.9}, 0.05, 0.25},  {{-0.5, -0.2, 0.9}, 0.05, 0.25},   // cheeks
      {{0, -0.44, 1}, 0.055, 0.12},    {{0, -0.38, 1}, -0.02, 0.05},
      {{0.1, -0.41, 1}, 0.02, 0.1},                                    // lips
      {{0, -0.8, 0.85}, 0.1, 0.25},                                    // chin
      {{1, 0.0, -0.08}, 0.2, 0.15},    {{-1, 0.0, -0.08}, 0.2, 0.15},  // ears
      {{1, 0.0, 0.12}, -0.05, 0.14},   {{-1, 0.0, 0.12}, -0.05, 0.14},
      {{0, 0.3, -1}, 0.12, 0.8},     // back
      {{0, -1, -0.25}, 0.1, 0.45}};  // neck
  return all;
}

double radius(const Vec3& direction) {
  // Narrow, tall.
  const Vec3 narrow{direction.x / 0.72, direction.y / 0.95, direction.z / 0.8};
  double r = 1 / length(narrow);
  for (const Bump& bump : bumps()) {
    const double cosine = std::min(dot(direction, normalised(bump.towards)), 1.0);
    const double angle = std::acos(cosine);
    r += bump.height * std::exp(-angle * angle / (bump.width * bump.width));
  }
  return r;
}

double outside(const Vec3& p) {
  return length(p) - radius(normalised(p));
}

SurfacePoint pointTowards(const Vec3& direction) {
  constexpr double step = 1e-5;
  const Vec3 p = direction * radius(direction);
  const auto slope = [&](const Vec3& by) { return outside(p + by) - outside(p - by); };
  return {p, normalised({slope({step, 0, 0}), slope({0, step, 0}), slope({0, 0, step})})};
}

}  // namespace

Mesh head(int segments) {
  Mesh mesh;
  const auto surface = [](double u, double v) {
    const double longitude = 2 * std::numbers::pi * u;
    // Exactly 0 at the poles, where triangles close.
    const double across = v == 0 || v == 1 ? 0 : std::sin(std::numbers::pi * v);
    return pointTowards(
        {across * std::cos(longitude), -std::cos(std::numbers::pi * v), -across * std::sin(longitude)});
  };
  addSurface(mesh, segments, segments, surface);
  return mesh;
}

}  // namespace lacuna::pathtrace
