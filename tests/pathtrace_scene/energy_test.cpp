// The table of directional albedos against plain quadrature over directions of the lobe's own formula (Walter
// et al. 2007; Heitz 2014, equation 99), without sampling of visible normals.

#include "pathtrace/scene/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lacuna::pathtrace {
namespace {

constexpr double pi = std::numbers::pi;

double lambda(double alpha, double cosine) {
  const double tangent2 = (1 - cosine * cosine) / (cosine * cosine);
  return (std::sqrt(1 + alpha * alpha * tangent2) - 1) / 2;
}

// Over facets h = (tangents x, y) in the disk's own measure: light leaves along the mirrored direction, and
// D(h) cos(h) dh is integrated in slopes, where GGX is 1 / (pi alpha^2 (1 + s^2 / alpha^2)^2).
double albedoBySlopes(double alpha, double cosine) {
  const double sine = std::sqrt(1 - cosine * cosine);
  constexpr int rings = 1500;
  constexpr int turns = 400;
  double sum = 0;
  for (int i = 0; i < rings; ++i) {
    const double u = (i + 0.5) / rings;  // share of D within the slope
    const double slope = alpha * std::sqrt(u / (1 - u));
    for (int k = 0; k < turns; ++k) {
      const double angle = 2 * pi * (k + 0.5) / turns;
      const double hz = 1 / std::sqrt(1 + slope * slope);
      const double hx = slope * std::cos(angle) * hz;
      const double outH = sine * hx + cosine * hz;
      const double in = 2 * outH * hz - cosine;
      if (outH > 0 && in > 0)
        sum += outH / (hz * cosine) / (1 + lambda(alpha, cosine) + lambda(alpha, in));
    }
  }
  return sum / (rings * turns);
}

TEST(Energy, DirectionalAlbedo) {
  for (const double roughness : {0.03, 0.1, 0.3, 0.6, 1.0}) {
    const double alpha = roughness * roughness;
    for (const double cosine : {0.1, 0.3, 0.7, 1.0}) {
      EXPECT_NEAR(directionalAlbedo(alpha, cosine), albedoBySlopes(alpha, cosine), 2e-3)
          << "roughness " << roughness << ", cosine " << cosine;
    }
  }
}

// Tests the table between its columns, interpolated linearly over the cosine's root.
TEST(Energy, RowsAreFineEnough) {
  for (const double roughness : {0.03, 0.15, 0.4, 1.0}) {
    const double alpha = roughness * roughness;
    const auto row = energyRow(alpha);
    double mean = 0;
    constexpr int steps = 300;
    for (int i = 0; i < steps; ++i) {
      const double cosine = (i + 0.5) / steps;
      const double place = std::sqrt(cosine) * (energySize - 1);
      const auto k = static_cast<size_t>(place);
      const double read = std::lerp(double{row[k]}, double{row[k + 1]}, place - static_cast<double>(k));
      const double exact = directionalAlbedo(alpha, cosine);
      // For the smoothest, the whole fall is within half a degree of grazing.
      EXPECT_NEAR(read, exact, cosine < 0.01 ? 1e-2 : 2e-3)
          << "roughness " << roughness << ", cosine " << cosine;
      mean += 2 * exact * cosine / steps;
    }
    EXPECT_NEAR(row[energySize], mean, 1e-3) << "roughness " << roughness;
    EXPECT_LE(row[energySize], 1.0F);
  }
}

}  // namespace
}  // namespace lacuna::pathtrace
