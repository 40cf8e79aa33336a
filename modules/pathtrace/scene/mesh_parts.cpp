#include "pathtrace/scene/mesh_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace lacuna::pathtrace {
namespace {

constexpr double step = 1e-4;  // of differences, over [0, 1]

Vec3 asFloats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

int end(size_t count) {
  return static_cast<int>(count);
}

// Corners: indices of positions, which are those of normals.
void addTriangle(Mesh& mesh, const std::array<int, 3>& corners, const std::array<int, 3>& uvs) {
  const auto position = [&](size_t i) { return mesh.positions[static_cast<size_t>(corners[i])]; };
  if (hasArea(position(0), position(1), position(2)))
    mesh.triangles.push_back({corners, corners, uvs, none});
}

double turn(double u) {
  return 2 * std::numbers::pi * u;
}

// The derivative of a curve through points at t, at an end of [0, 1] by a difference to one side.
template <typename Curve>
auto tangent(const Curve& curve, double t) {
  const double from = std::max(t - step, 0.0), to = std::min(t + step, 1.0);
  return std::pair(curve(from), curve(to));
}

Vec3 unit(const Vec3& v) {
  const double size = length(v);
  return size > 0 ? v * (1 / size) : Vec3{0, 0, 1};
}

}  // namespace

bool hasArea(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 origin = asFloats(a);
  const Vec3 first = asFloats(b) - origin, second = asFloats(c) - origin;
  const double longest = std::max(dot(first, first), dot(second, second));
  const double area = length(cross(first, second));
  // Whether it is narrower than 1e-9 of its length, below which squares of lengths vanish.
  return area > 1e-9 * longest && area > 1e-30;
}

void addSurface(Mesh& mesh, int columns, int rows, const ClosedSurface& surface) {
  const int firstPoint = end(mesh.positions.size()), firstUv = end(mesh.uvs.size());
  for (int row = 0; row <= rows; ++row) {
    for (int column = 0; column <= columns; ++column) {
      const double u = double(column) / columns, v = double(row) / rows;
      mesh.uvs.push_back({u, v});
      if (column < columns) {
        const SurfacePoint point = surface(u, v);
        mesh.positions.push_back(point.position);
        mesh.normals.push_back(point.normal);
      }
    }
  }
  const auto point = [&](int column, int row) { return firstPoint + row * columns + column % columns; };
  const auto uv = [&](int column, int row) { return firstUv + row * (columns + 1) + column; };
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      addTriangle(mesh, {point(column, row), point(column + 1, row), point(column + 1, row + 1)},
                  {uv(column, row), uv(column + 1, row), uv(column + 1, row + 1)});
      addTriangle(mesh, {point(column, row), point(column + 1, row + 1), point(column, row + 1)},
                  {uv(column, row), uv(column + 1, row + 1), uv(column, row + 1)});
    }
  }
}

void addDisk(Mesh& mesh, const Vec3& centre, const Vec3& x, const Vec3& y, int segments) {
  const int first = end(mesh.positions.size()), firstUv = end(mesh.uvs.size());
  mesh.positions.push_back(centre);
  mesh.uvs.push_back({0.5, 0.5});
  for (int i = 0; i < segments; ++i) {
    const double c = std::cos(turn(double(i) / segments)), s = std::sin(turn(double(i) / segments));
    mesh.positions.push_back(centre + x * c + y * s);
    mesh.uvs.push_back({0.5 + 0.5 * c, 0.5 + 0.5 * s});
  }
  mesh.normals.resize(mesh.positions.size(), normalised(cross(x, y)));
  for (int i = 0; i < segments; ++i) {
    const int a = 1 + i, b = 1 + (i + 1) % segments;
    addTriangle(mesh, {first, first + a, first + b}, {firstUv, firstUv + a, firstUv + b});
  }
}

void addTube(Mesh& mesh, const std::function<TubePoint(double t)>& curve, int segments, int rings) {
  const Vec3 z{0, 0, 1};
  // Axes across the curve: the cross product of `side` and the direction along the curve is z, so that going
  // around turns to the left of the curve.
  const auto side = [&](double t) {
    const auto [from, to] = tangent(curve, t);
    return normalised(cross(to.centre - from.centre, z));
  };
  const auto surface = [&](double u, double v) -> SurfacePoint {
    const Vec3 x = side(v);
    const Vec3 out = x * std::cos(turn(u)) - z * std::sin(turn(u));
    const auto [from, to] = tangent(curve, v);
    const Vec3 along = to.centre - from.centre;
    // Where the radius grows, the surface leans back.
    const Vec3 normal = normalised(out * length(along) - normalised(along) * (to.radius - from.radius));
    const TubePoint point = curve(v);
    return {point.centre + out * point.radius, normal};
  };
  addSurface(mesh, segments, rings, surface);
  const TubePoint first = curve(0), last = curve(1);
  addDisk(mesh, first.centre, side(0) * first.radius, z * first.radius, segments);
  addDisk(mesh, last.centre, side(1) * last.radius, z * -last.radius, segments);
}

void addRevolution(Mesh& mesh, const std::function<Vec2(double t)>& profile, int segments, int rings) {
  const auto surface = [&](double u, double v) -> SurfacePoint {
    const double c = std::cos(turn(u)), s = -std::sin(turn(u));
    const auto [from, to] = tangent(profile, v);
    const double outward = to.y - from.y, upward = from.x - to.x;
    const Vec2 point = profile(v);
    return {{point.x * c, point.y, point.x * s}, normalised({outward * c, upward, outward * s})};
  };
  addSurface(mesh, segments, rings, surface);
}

Vec2 alongCurve(const std::vector<Vec2>& points, double t) {
  const auto last = static_cast<int>(points.size()) - 1;
  const int piece = std::min(static_cast<int>(t * last), last - 1);
  const double x = t * last - piece;
  const auto at = [&](int i) { return points[static_cast<size_t>(std::clamp(i, 0, last))]; };
  const Vec2 a = at(piece - 1), b = at(piece), c = at(piece + 1), d = at(piece + 2);
  const auto cubic = [&](double p, double q, double r, double w) {
    return q + 0.5 * x * (r - p + x * (2 * p - 5 * q + 4 * r - w + x * (3 * (q - r) + w - p)));
  };
  return {cubic(a.x, b.x, c.x, d.x), cubic(a.y, b.y, c.y, d.y)};
}

Corners cornersOf(const Mesh& mesh, const Triangle& triangle) {
  Corners corners;
  corners.material = triangle.material;
  for (size_t i = 0; i < 3; ++i)
    corners.positions[i] = mesh.positions[static_cast<size_t>(triangle.positions[i])];
  corners.normals.fill(unit(cross(corners.edge1(), corners.edge2())));
  for (size_t i = 0; i < 3; ++i) {
    if (triangle.normals[i] != none)
      corners.normals[i] = mesh.normals[static_cast<size_t>(triangle.normals[i])];
    if (triangle.uvs[i] != none)
      corners.uvs[i] = mesh.uvs[static_cast<size_t>(triangle.uvs[i])];
  }
  return corners;
}

// Normals keep the ratio of their lengths, so mixing them in the world equals mapping their mixture in the
// object.
Corners mapped(const Corners& corners, const Affine& map, const Affine& inverse) {
  Corners result = corners;
  double longest = 0;
  for (size_t i = 0; i < 3; ++i) {
    result.positions[i] = mapPoint(map, corners.positions[i]);
    result.normals[i] = mapNormal(inverse, corners.normals[i]);
    longest = std::max(longest, length(result.normals[i]));
  }
  for (Vec3& normal : result.normals)
    normal = longest > 0 ? normal * (1 / longest) : Vec3{0, 0, 1};
  if (determinant(map) < 0) {
    std::swap(result.positions[1], result.positions[2]);
    std::swap(result.normals[1], result.normals[2]);
    std::swap(result.uvs[1], result.uvs[2]);
  }
  return result;
}

double determinant(const Affine& map) {
  const auto row = [&](size_t i) { return Vec3{map.rows[i][0], map.rows[i][1], map.rows[i][2]}; };
  return dot(row(0), cross(row(1), row(2)));
}

double luminance(const Vec3& colour) {
  return dot(colour, {0.212639006, 0.715168679, 0.072192315});
}

}  // namespace lacuna::pathtrace
