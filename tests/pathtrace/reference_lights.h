#pragma once
// A random point on a light: the light is chosen by luminance times area, the point uniformly over its area.
// Also for spheres: noisier than by the cone under which they are seen, but simpler.

#include "tests/pathtrace/reference_surface.h"

namespace lacuna::pathtrace::reference {

struct LightPoint {
  Vec3 point, normal, radiance;
  int primitive = none;
  double density = 0;  // by area
};

class Lights {
 public:
  explicit Lights(const World& world);

  bool areThere() const { return !lights_.empty(); }
  LightPoint choose(Random& random) const;
  // Density by area with which points of a primitive are chosen.
  double density(int primitive) const { return densities_[static_cast<size_t>(primitive)]; }

 private:
  struct Light {
    int primitive;
    double until;  // sum of shares up to and with this one
    Vec3 radiance;
  };
  double areaOf(int primitive) const;

  const World& world_;
  std::vector<Light> lights_;
  std::vector<double> densities_;  // a primitive each
};

// From a density by area, for a point that is seen from `from`: by solid angle.
inline double bySolidAngle(double density, const Vec3& from, const Vec3& point, const Vec3& normal) {
  const Vec3 way = point - from;
  const double distance2 = dot(way, way);
  const double cosine = std::abs(dot(way, normal)) / std::sqrt(distance2);
  return density * distance2 / cosine;
}

}  // namespace lacuna::pathtrace::reference
