#pragma once
// The glossy lobe: GGX (Walter, Marschner, Li, Torrance 2007) without Fresnel's effect, height-correlated
// masking (Heitz 2014, Understanding the Masking-Shadowing Function, eq. 99), and the energy that single
// scattering loses (Kulla, Conty 2017). Directions are in a frame whose z is the normal; all point away from
// the surface.

#include <memory>
#include <numbers>
#include <vector>

#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace::reference {

inline constexpr double pi = std::numbers::pi;

class Ggx {
 public:
  explicit Ggx(double roughness);

  // For reflectance 1, without the cosine; 0 if a direction is below the surface.
  double value(const Vec3& out, const Vec3& in) const;
  // Directional albedo of single scattering by `out`'s cosine, from a table made by quadrature.
  double energy(double cosine) const;

  // A normal of a facet that is visible from `out`, from two uniform numbers (Heitz 2018), and the density of
  // the direction into which it mirrors `out`.
  Vec3 visibleNormal(const Vec3& out, double u, double v) const;
  double density(const Vec3& out, const Vec3& in) const;

 private:
  double distribution(const Vec3& normal) const;
  double lambda(const Vec3& direction) const;
  double integrate(double cosine) const;

  double alpha_;
  std::vector<double> energies_;
  double mean_ = 0;
};

// Shared by all requests for a roughness, because its table takes half a million samples.
std::shared_ptr<const Ggx> sharedGgx(double roughness);

// The vector a, mirrored at a normal of unit length.
inline Vec3 mirrored(const Vec3& a, const Vec3& normal) {
  return normal * (2 * dot(a, normal)) - a;
}

}  // namespace lacuna::pathtrace::reference
