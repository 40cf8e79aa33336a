#pragma once
// A unidirectional path tracer (Kajiya 1986) with next-event estimation, in double precision, with plain
// random numbers: the reference of the module's pictures. It is written from the module's semantics, not from
// its shaders, and samples differently: lights by area, and independent random numbers.

#include "tests/pathtrace/reference_lights.h"

namespace lacuna::pathtrace::reference {

enum class PixelFilter { centre, box, tent, gaussian };

struct Settings {
  int width = 32, height = 32;
  int samples = 16;  // a pixel
  int bounces = 5;   // surfaces that scatter, at most
  int roulette = 3;  // bounces after which paths end by chance
  PixelFilter filter = PixelFilter::gaussian;
  bool nextEvent = true;  // if false, lights are only found by scattered rays
  uint64_t seed = 1;
};

// What a path brings.
struct Sample {
  Vec3 direct, indirect;  // emission seen after at most one scattering, after more
  Vec3 albedo, normal;    // of the first surface
};

// Means over a pixel's samples, row by row from the top, and the variances of the means of `direct +
// indirect`.
struct Film {
  int width = 0, height = 0;
  std::vector<Sample> means;
  std::vector<Vec3> variances;
};

class Tracer {
 public:
  Tracer(const Scene& scene, double frame, const Settings& settings);

  Film render() const;  // on all cores
  // Radiance against a ray, by one path.
  Sample trace(Ray ray, Random& random) const;

 private:
  Ray cameraRay(double x, double y, Random& random) const;
  Sample pixelSample(int x, int y, Random& random) const;
  Vec3 fromLights(const Place& place, const Vec3& out, Random& random) const;
  double weightOfFound(const Vec3& from, const Hit& hit, double density) const;

  Settings settings_;
  World world_;
  Surfaces surfaces_;
  Lights lights_;
  Lens lens_;
};

}  // namespace lacuna::pathtrace::reference
