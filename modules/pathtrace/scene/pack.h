#pragma once
// Scene -> arrays for the device (device_scene.h).

#include "pathtrace/scene/bvh.h"
#include "pathtrace/scene/device_scene.h"
#include "pathtrace/scene/mesh_parts.h"
#include "pathtrace/scene/pose.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// A light: a triangle in world space, or a sphere.
struct Light {
  bool isSphere = false;
  Vec3 origin, edge1, edge2;  // a triangle's first corner and edges; a sphere's centre, in `origin`
  double radius = 0;
  Vec3 radiance;
  double area = 0;
};
inline Light lightOf(const Corners& c, const Material& material) {
  return {false, c.positions[0], c.edge1(), c.edge2(), 0, material.radiance, c.area()};
}

// The parts that are the same in all frames.
struct PackedScene {
  StaticScene arrays;
  bool hasWorld = false;        // meshes that stand still are one mesh in world space, whose root is node 0
  std::vector<uint32_t> roots;  // of Scene::meshes: the node where each one's own hierarchy begins
  std::vector<Box> bounds;      // indices of Scene::meshes with hierarchies of their own
  std::vector<size_t> placed;   // indices of Scene::objects that are also objects on the device, in order
  std::vector<Light> lights;    // of objects that stand still
  uint32_t meshDepth = 0;       // of the deepest hierarchy

  size_t objectCount() const { return placed.size() + (hasWorld ? 1 : 0); }
  // Most levels of the hierarchy of objects.
  uint32_t objectDepth() const;
};

// Throws std::length_error for more than 2^27 - 1 triangles.
PackedScene packScene(const Scene& scene);

// The scene at `moment`, in frames of its keys; `before`: the moment of the previous frame, for motion.
FrameScene packFrame(const Scene& scene, const PackedScene& packed, double moment, double before, int width,
                     int height);
// Number of elements of each of FrameScene's arrays, the same in all frames.
struct FrameSizes {
  uint32_t camera = 0, objects = 0, toplevel = 0, lights = 0;
};
FrameSizes frameSizes(const Scene& scene, const PackedScene& packed);

// The light that GGX microfacets reflect in all directions by single scattering, without Fresnel's effect:
// Kulla and Conty 2017 (Revisiting Physically Based Shading at Imageworks) restore the rest. With
// height-correlated Smith masking, seen under a cosine in [0, 1]; alpha in (0, 1].
double directionalAlbedo(double alpha, double cosine);
// A row of StaticScene::energy: directional albedo, then its mean, computed from the row with linear
// interpolation.
std::array<float, energySize + 1> energyRow(double alpha);

}  // namespace lacuna::pathtrace
