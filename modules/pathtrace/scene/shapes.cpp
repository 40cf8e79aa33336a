#include <cmath>
#include <numbers>

#include "pathtrace/scene/mesh_parts.h"

namespace lacuna::pathtrace {
namespace {

void addRectangle(Mesh& mesh, const Vec3& corner, const Vec3& first, const Vec3& second) {
  const auto p = static_cast<int>(mesh.positions.size());
  for (const Vec3& position : {corner, corner + first, corner + first + second, corner + second})
    mesh.positions.push_back(position);
  const std::array<int, 3> flat = {none, none, none};
  mesh.triangles.push_back({{p, p + 1, p + 2}, flat, {0, 1, 2}, none});
  mesh.triangles.push_back({{p, p + 2, p + 3}, flat, {0, 2, 3}, none});
}

const std::vector<Vec2> wholePicture = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

}  // namespace

Mesh rectangle(const Vec3& corner, const Vec3& first, const Vec3& second) {
  Mesh mesh;
  mesh.uvs = wholePicture;
  addRectangle(mesh, corner, first, second);
  return mesh;
}

Mesh cube() {
  Mesh mesh;
  mesh.uvs = wholePicture;
  addRectangle(mesh, {-1, -1, 1}, {2, 0, 0}, {0, 2, 0});
  addRectangle(mesh, {1, -1, 1}, {0, 0, -2}, {0, 2, 0});
  addRectangle(mesh, {1, -1, -1}, {-2, 0, 0}, {0, 2, 0});
  addRectangle(mesh, {-1, -1, -1}, {0, 0, 2}, {0, 2, 0});
  addRectangle(mesh, {-1, 1, 1}, {2, 0, 0}, {0, 0, -2});
  addRectangle(mesh, {-1, -1, -1}, {2, 0, 0}, {0, 0, 2});
  return mesh;
}

Mesh disk(int segments) {
  Mesh mesh;
  addDisk(mesh, {}, {1, 0, 0}, {0, 0, -1}, segments);
  return mesh;
}

Mesh cylinder(int segments) {
  Mesh mesh;
  addRevolution(
      mesh,
      [](double t) {
        return Vec2{1, 2 * t - 1};
      },
      segments, 1);
  addDisk(mesh, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}, segments);
  addDisk(mesh, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}, segments);
  return mesh;
}

Mesh cone(int segments) {
  Mesh mesh;
  // In rings, because the normals of a triangle that reaches the tip would be wrong.
  addRevolution(
      mesh,
      [](double t) {
        return Vec2{1 - t, 2 * t - 1};
      },
      segments, 8);
  addDisk(mesh, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}, segments);
  return mesh;
}

Mesh torus(double tube, int segments) {
  Mesh mesh;
  const auto surface = [tube](double u, double v) -> SurfacePoint {
    const double around = 2 * std::numbers::pi * u, across = 2 * std::numbers::pi * v;
    const Vec3 out{std::cos(around), 0, -std::sin(around)};
    const Vec3 normal = out * std::cos(across) + Vec3{0, std::sin(across), 0};
    return {out + normal * tube, normal};
  };
  addSurface(mesh, segments, std::max(segments / 2, 3), surface);
  return mesh;
}

Mesh teapot(int segments) {
  Mesh mesh;
  // Foot, belly, rim, lid, knob: (radius, height).
  const std::vector<Vec2> profile = {{0, -0.72},    {0.3, -0.72}, {0.48, -0.71}, {0.52, -0.68}, {0.62, -0.6},
                                     {0.74, -0.42}, {0.78, -0.2}, {0.75, 0.02},  {0.66, 0.22},  {0.57, 0.34},
                                     {0.55, 0.38},  {0.52, 0.39}, {0.42, 0.46},  {0.26, 0.53},  {0.12, 0.57},
                                     {0.07, 0.61},  {0.09, 0.66}, {0.11, 0.71},  {0.085, 0.76}, {0, 0.78}};
  addRevolution(
      mesh, [&](double t) { return alongCurve(profile, t); }, segments, 2 * segments);
  // Both start and end inside the belly, so that there is no gap.
  const std::vector<Vec2> spout = {{0.55, -0.4}, {0.8, -0.3}, {0.96, -0.08}, {1.07, 0.16}, {1.24, 0.32}};
  const std::vector<Vec2> handle = {{-0.62, 0.2},   {-0.85, 0.3},   {-1.12, 0.24}, {-1.2, 0.0},
                                    {-1.05, -0.28}, {-0.85, -0.42}, {-0.66, -0.46}};
  const auto bent = [](const std::vector<Vec2>& curve, double t) {
    const Vec2 at = alongCurve(curve, t);
    return Vec3{at.x, at.y, 0};
  };
  addTube(
      mesh,
      [&](double t) {
        return TubePoint{bent(spout, t), 0.17 - 0.2 * t + 0.09 * t * t};
      },
      segments / 2, segments);
  addTube(
      mesh,
      [&](double t) {
        return TubePoint{bent(handle, t), 0.07};
      },
      segments / 4 + 3, segments);
  return mesh;
}

namespace {

// A head-like mesh: a sphere whose radius depends on the direction, with bumps for the parts of a face. Its
// normal is the gradient of |p| - radius(p / |p|), so that it is smooth at the poles too.

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
