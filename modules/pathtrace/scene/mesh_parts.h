#pragma once
// Generated meshes, and parts of meshes.

#include <array>
#include <functional>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Whether the triangle, with its corners in float as on the device, has an area that floats can represent.
bool hasArea(const Vec3& a, const Vec3& b, const Vec3& c);

struct SurfacePoint {
  Vec3 position, normal;  // the normal of unit length
};

// A surface over (u, v) in [0, 1]; its front is where du x dv points. u closes: u = 1 is u = 0. Triangles
// without area, as at poles, are omitted.
using ClosedSurface = std::function<SurfacePoint(double u, double v)>;
void addSurface(Mesh& mesh, int columns, int rows, const ClosedSurface& surface);

// A disc. `x` and `y` are radii; its front is where x cross y points.
void addDisk(Mesh& mesh, const Vec3& centre, const Vec3& x, const Vec3& y, int segments);

// A curve with a radius at each t in [0, 1], bent in the plane z = 0, as a tube with flat ends.
struct TubePoint {
  Vec3 centre;
  double radius = 0;
};
void addTube(Mesh& mesh, const std::function<TubePoint(double t)>& curve, int segments, int rings);

// Around y: radius and height at each t in [0, 1], from the bottom up.
void addRevolution(Mesh& mesh, const std::function<Vec2(double t)>& profile, int segments, int rings);

// A curve through points, with continuous tangents (Catmull and Rom 1974), t in [0, 1].
Vec2 alongCurve(const std::vector<Vec2>& points, double t);

// Generated meshes. All are closed and of about the size of the cube from -1 to 1, except `rectangle` and
// `disk`, which are flat and face up. Curved ones have smooth normals; `segments` is their number in a turn.
// A parallelogram from `corner` along two edges; its front is where they turn counter-clockwise. u runs along
// the first edge.
Mesh rectangle(const Vec3& corner, const Vec3& first, const Vec3& second);
Mesh cube();  // each side has the texture once
Mesh disk(int segments);
Mesh cylinder(int segments);  // around y
Mesh cone(int segments);      // its tip at y = 1
// The middle of the tube is the circle of radius 1 in the plane y = 0. Needs: 0 < tube < 1.
Mesh torus(double tube, int segments);
Mesh teapot(int segments);  // the spout points to x, the handle to -x
Mesh head(int segments);    // looks to z

// Triangles of meshes in a space, for hierarchies, shading and lights.
struct Corners {
  std::array<Vec3, 3> positions, normals;  // normals of unit length; flat ones have the triangle's own
  std::array<Vec2, 3> uvs;
  int material = none;  // none: its object's

  Vec3 edge1() const { return positions[1] - positions[0]; }
  Vec3 edge2() const { return positions[2] - positions[0]; }
  double area() const { return 0.5 * length(cross(edge1(), edge2())); }
};

Corners cornersOf(const Mesh& mesh, const Triangle& triangle);
// The mapped triangle; if the map mirrors, its corners are reordered to be counter-clockwise from the front
// again.
Corners mapped(const Corners& corners, const Affine& map, const Affine& inverse);

double determinant(const Affine& map);
// Whether keys move the object.
inline bool isStill(const Object& object) {
  return object.keys.size() == 1;
}
double luminance(const Vec3& colour);  // Rec. 709
inline bool shines(const Material& material) {
  return material.emits() && luminance(material.radiance) > 0;
}

}  // namespace lacuna::pathtrace
