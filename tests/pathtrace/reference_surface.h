#pragma once
// How surfaces scatter light, and random numbers to follow it.

#include <algorithm>
#include <memory>
#include <random>

#include "tests/pathtrace/reference_ggx.h"
#include "tests/pathtrace/reference_world.h"

namespace lacuna::pathtrace::reference {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }  // [0, 1)

 private:
  std::mt19937_64 engine_;
};

// Rec. 709.
inline double luminance(const Vec3& c) {
  return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}
inline double largest(const Vec3& c) {
  return std::max({c.x, c.y, c.z});
}

inline Vec3 atMostOne(const Vec3& v) {
  return {std::min(v.x, 1.0), std::min(v.y, 1.0), std::min(v.z, 1.0)};
}

// A place on a surface as a ray meets it.
struct Place {
  Vec3 point;
  Vec3 geometric, shading;  // on the side that the ray comes from; shading never faces away from the ray
  Vec3 albedo;              // emissive: 0
  Vec3 radiance;            // towards the ray
  Surface surface = Surface::diffuse;
  double ior = 1;            // refractive index behind the surface over that before it
  const Ggx* ggx = nullptr;  // of glossy surfaces
  int primitive = none;

  bool isSpecular() const { return surface == Surface::mirror || surface == Surface::glass; }
};

struct Scattered {
  Vec3 direction;
  Vec3 weight;         // value * cosine / density
  double density = 0;  // by solid angle; 0 for specular surfaces
};

class Surfaces {
 public:
  explicit Surfaces(const Scene& scene);

  Vec3 albedo(const Material& material, const Vec2& uv) const;
  Vec3 shown(const Hit& hit) const;                // albedo; for lights their radiance, from either side
  const Texture* textureOf(const Hit& hit) const;  // null if the surface has only one colour
  Place placeOf(const Hit& hit, const Vec3& direction) const;  // of the ray

  // For diffuse and glossy surfaces, with `out` towards the ray's origin. Value times the cosine.
  static Vec3 answer(const Place& place, const Vec3& out, const Vec3& in);
  static double density(const Place& place, const Vec3& out, const Vec3& in);
  // Weight 0 where light is lost.
  static Scattered scatter(const Place& place, const Vec3& out, Random& random);

 private:
  const Scene& scene_;
  std::vector<std::shared_ptr<const Ggx>> ggx_;  // a material each; null unless glossy
};

}  // namespace lacuna::pathtrace::reference
