#include "pathtrace/scene/corners.h"

#include <algorithm>
#include <utility>

namespace lacuna::pathtrace {
namespace {

Vec3 unit(const Vec3& v) {
  const double size = length(v);
  return size > 0 ? v * (1 / size) : Vec3{0, 0, 1};
}

}  // namespace

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

// Normals keep the ratio of their lengths: so mixing them in the world is mapping what they mix to in the
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
