#pragma once
// Random scenes, for training and for tests: a textured floor, sometimes a room around it, cubes, spheres,
// tori, cylinders, teapot-like and head-like meshes of all materials, rectangles of light, and a camera that
// sees them. In about half of them camera and objects move, over the frames 0 to 64.

#include <cstdint>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// The same seed gives the same scene everywhere, up to the rounding of sines.
Scene randomScene(uint32_t seed);

// Images, materials, meshes and objects of `from`, behind the existing ones.
void append(Scene& scene, Scene from);

}  // namespace lacuna::pathtrace
