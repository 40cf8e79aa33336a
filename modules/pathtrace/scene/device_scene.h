#pragma once
// A scene as the device reads it: arrays of elements of four 32-bit words (floats by their bits), written by
// pack_*.cpp and read by scene.glsl. Moving parts belong to a frame; the rest is uploaded once.
//
// Meshes are in object space and have a bounding-volume hierarchy each (bvh.h); a hierarchy over the objects
// in world space, made in each frame, leads to them. A node is 4 elements and holds the boxes of both
// children:
//   0  min x, max x, min y, max y of the first child      1  the same of the second child
//   2  min z, max z of the first, min z, max z of the second
//   3  first child, second child, 0, 0
// A child is the index of a node in its array, or a leaf: leafBit | first << 4 | count, with count (0 to 15)
// triangles, or objects, from `first` on. A missing child has count 0 and an empty box (min > max).

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace {

using Words = std::array<uint32_t, 4>;

constexpr uint32_t leafBit = 0x80000000U;
constexpr uint32_t nodeElements = 4;
constexpr uint32_t maxLeafSize = 8;
// Bounds for hierarchies, so that traversal's stack suffices: levels of a mesh's hierarchy, and of the
// objects'.
constexpr uint32_t maxMeshDepth = 40;
constexpr uint32_t maxObjectDepth = 24;

// Uploaded once.
struct StaticScene {
  std::vector<Words> nodes;  // hierarchies of all meshes, one after the other
  // 3 elements a triangle, in the order of leaves, in object space: (v0, id), (v1, 0), (v2, 0). The id is
  // that of the object if several are in one hierarchy, else 0.
  std::vector<Words> triangles;
  // 4 elements a triangle: (n0, u0), (n1, v0), (n2, u1), (v1, u2, v2, material or noMaterial). Flat triangles
  // have the geometric normal three times.
  std::vector<Words> shading;
  // 4 elements a material: (surface, alpha = roughness^2, ior, texture kind), (colour or radiance, u scale),
  // (other colour, v scale), (first texel, width, height, row of `energy`). Surface and kind are numbered as
  // the enums of scene.h.
  std::vector<Words> materials;
  std::vector<std::array<uint32_t, 2>> texels;  // halves: red, green; blue, 0
  // Directional albedo of white GGX without Fresnel, single scattering, a row for each glossy material: at
  // energySize cosines, evenly spaced in their square root from 0 to 1, then the mean albedo (2 times the
  // integral of albedo times cosine).
  std::vector<float> energy;
};
constexpr uint32_t noMaterial = 0xffffffffU;
constexpr uint32_t energySize = 64;

// The arrays of one frame.
struct FrameScene {
  // 0 to 3 the lens (pose.h): (eye, aperture), (right, 0), (up, focus), (forward, 0); 4 to 7 that of the
  // frame before; 8 (background, power of all lights: the sum of luminance times area); 9 (lights, objects,
  // 0, 0) as uints.
  std::vector<Words> camera;
  // 11 elements an object: rows of its map from world to object (0 to 2), from object to world (3 to 5), the
  // latter in the frame before (6 to 8), 9 (0 mesh, 1 sphere; root node of the mesh; material; id), 10 (area
  // in the world of a sphere, its radius in the world, 0, 0). Ids count from 1 in the order of
  // Scene::objects. Meshes that stand still are one object, the first, in world space, with id 0.
  std::vector<Words> objects;
  std::vector<Words> toplevel;  // the hierarchy of objects, one a leaf; its root is node 0
  // 4 elements a light, in world space; at least one (of power 0 if there is none).
  //   triangle: (v0, c), (v1 - v0, 0), (v2 - v0, p), (radiance, area)
  //   sphere: (centre, c), (radius, 0, 0, 1), (0, 0, 0, p), (radiance, area)
  // p is luminance times area over their sum, c the sum of p up to and with this light. A word for the kind:
  // 0 or 1, a uint.
  std::vector<Words> lights;
};

// Numbers in the device's form: floats by their bits, four to an element.

// The nearest float; finite even for numbers beyond floats' range.
inline float nearestFloat(double v) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(v, -most, most));
}
inline float floatBelow(double v) {
  const float f = nearestFloat(v);
  return double{f} > v ? std::nextafterf(f, -std::numeric_limits<float>::infinity()) : f;
}
inline float floatAbove(double v) {
  const float f = nearestFloat(v);
  return double{f} < v ? std::nextafterf(f, std::numeric_limits<float>::infinity()) : f;
}

inline uint32_t bits(float f) {
  return std::bit_cast<uint32_t>(f);
}
inline Words floats(float x, float y, float z, float w) {
  return {bits(x), bits(y), bits(z), bits(w)};
}
inline Words words(const Vec3& v, uint32_t last) {
  return {bits(nearestFloat(v.x)), bits(nearestFloat(v.y)), bits(nearestFloat(v.z)), last};
}
inline Words words(const Vec3& v, double last = 0) {
  return words(v, bits(nearestFloat(last)));
}

}  // namespace lacuna::pathtrace
