#pragma once
// Generated meshes. All are closed and of about the size of the cube from -1 to 1, except `rectangle` and
// `disk`, which are flat and face up. Curved ones have smooth normals; `segments` is their number in a turn.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

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

}  // namespace lacuna::pathtrace
