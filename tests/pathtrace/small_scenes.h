#pragma once
// Scenes of a few objects, made in code.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace::reference {

Material plain(Surface surface, const Vec3& albedo);
Material glossy(const Vec3& albedo, double roughness);
Material lamp(const Vec3& radiance);

// Adds a parallelogram to a scene's meshes; its front is where its edges turn counter-clockwise.
int addRectangle(Scene& scene, const Vec3& corner, const Vec3& edge1, const Vec3& edge2);

// An object of a mesh, or (none) the sphere.
void addObject(Scene& scene, int mesh, const Material& material, const Pose& pose = {});

// A sphere of radius 1 around 0.
Scene sphereOf(const Material& material);

// A room, open towards +z, 2 wide: a lamp below its ceiling, a glossy sphere, a mirror one, one of glass, a
// tilted slab.
Scene room();

}  // namespace lacuna::pathtrace::reference
