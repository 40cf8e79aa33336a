#pragma once
// Triangles of meshes as they lie in a space: what hierarchies, shading and lights are made of.

#include <array>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

struct Corners {
  std::array<Vec3, 3> positions, normals;  // normals of unit length; flat ones have the triangle's own
  std::array<Vec2, 3> uvs;
  int material = none;  // none: its object's

  Vec3 edge1() const { return positions[1] - positions[0]; }
  Vec3 edge2() const { return positions[2] - positions[0]; }
  double area() const { return 0.5 * length(cross(edge1(), edge2())); }
};

Corners cornersOf(const Mesh& mesh, const Triangle& triangle);
// Mapped, and turned counter-clockwise as seen from the front again, where the map mirrors.
Corners mapped(const Corners& corners, const Affine& map, const Affine& inverse);

double determinant(const Affine& map);
// Whether keys move the object.
inline bool isStill(const Object& object) {
  return object.keys.size() == 1;
}
double luminance(const Vec3& colour);  // Rec. 709

}  // namespace lacuna::pathtrace
