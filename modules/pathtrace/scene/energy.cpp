#include "pathtrace/scene/pack.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lacuna::pathtrace {
namespace {

constexpr uint32_t sampleCount = 4096;  // a direction
// At a cosine of 0 nothing is visible; the albedo's limit is used.
constexpr double leastCosine = 1e-5;

// Heitz 2018, Sampling the GGX Distribution of Visible Normals (listing 1), seen from (sine, 0, cosine).
Vec3 visibleNormal(double alpha, const Vec3& out, double u1, double u2) {
  const Vec3 stretched = normalised({alpha * out.x, 0, out.z});
  const Vec3 t1{0, 1, 0};
  const Vec3 t2 = cross(stretched, t1);
  const double r = std::sqrt(u1);
  const double phi = 2 * std::numbers::pi * u2;
  const double p1 = r * std::cos(phi);
  const double s = 0.5 * (1 + stretched.z);
  const double p2 = (1 - s) * std::sqrt(1 - p1 * p1) + s * r * std::sin(phi);
  const Vec3 h = t1 * p1 + t2 * p2 + stretched * std::sqrt(std::max(0.0, 1 - p1 * p1 - p2 * p2));
  return normalised({alpha * h.x, alpha * h.y, std::max(0.0, h.z)});
}

// The bits of i behind the binary point, in reverse order.
double radicalInverse(uint32_t i) {
  double value = 0;
  for (double bit = 0.5; i != 0; i >>= 1U, bit /= 2)
    value += (i & 1U) != 0 ? bit : 0;
  return value;
}

// Walter et al. 2007, Heitz 2014: Lambda of Smith's masking, times two and plus one.
double slope(double alpha, double cosine) {
  const double tangent2 = (1 - cosine * cosine) / (cosine * cosine);
  return std::sqrt(1 + alpha * alpha * tangent2);
}

}  // namespace

double directionalAlbedo(double alpha, double cosine) {
  const double z = std::clamp(cosine, leastCosine, 1.0);
  const Vec3 out{std::sqrt(1 - z * z), 0, z};
  const double masked = slope(alpha, z);
  double sum = 0;
  for (uint32_t i = 0; i < sampleCount; ++i) {
    // Hammersley's points: samples below the horizon end at one value of the first number.
    const Vec3 h = visibleNormal(alpha, out, (i + 0.5) / sampleCount, radicalInverse(i));
    const double in = 2 * dot(out, h) * h.z - out.z;
    // The remaining part of a sample's weight: G2 / G1.
    sum += in > 0 ? (1 + masked) / (masked + slope(alpha, std::min(in, 1.0))) : 0;
  }
  return sum / sampleCount;
}

std::array<float, energySize + 1> energyRow(double alpha) {
  std::array<float, energySize + 1> row{};
  for (uint32_t i = 0; i < energySize; ++i) {
    const double root = static_cast<double>(i) / (energySize - 1);
    row[i] = static_cast<float>(directionalAlbedo(alpha, root * root));
  }
  // With x, the cosine's root: 4 times the integral of a line times x^3, which Gauss's rule with two points
  // in each half-interval gives within 1e-7.
  double mean = 0;
  constexpr int pieces = 8;
  const double step = 1.0 / ((energySize - 1) * pieces);
  for (uint32_t i = 0; i < (energySize - 1) * pieces; ++i) {
    for (const double offset : {0.5 - 0.5 / std::numbers::sqrt3, 0.5 + 0.5 / std::numbers::sqrt3}) {
      const double x = (i + offset) * step;
      const double place = x * (energySize - 1);
      const uint32_t k = i / pieces;
      const double value = std::lerp(double{row[k]}, double{row[k + 1]}, place - k);
      mean += 0.5 * step * 4 * value * x * x * x;
    }
  }
  row[energySize] = static_cast<float>(mean);
  return row;
}

}  // namespace lacuna::pathtrace
