#include "tests/pathtrace/reference_ggx.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace lacuna::pathtrace::reference {
namespace {

constexpr int intervals = 64;  // entries of the table, evenly spaced in the square root of the cosine
constexpr int grid = 96;       // of the quadrature, a side

}  // namespace

Ggx::Ggx(double roughness) : alpha_(roughness * roughness) {
  for (int i = 0; i <= intervals; ++i) {
    const double root = std::max(static_cast<double>(i) / intervals, 1e-3);
    energies_.push_back(integrate(root * root));
  }
  // 2 * integral of energy(c) * c over c, by the midpoint rule.
  constexpr int steps = 4096;
  for (int i = 0; i < steps; ++i) {
    const double cosine = (i + 0.5) / steps;
    mean_ += 2 * energy(cosine) * cosine / steps;
  }
}

double Ggx::energy(double cosine) const {
  const double place = std::sqrt(std::clamp(cosine, 0.0, 1.0)) * intervals;
  const int i = std::min(static_cast<int>(place), intervals - 1);
  const double t = place - i;
  return energies_[static_cast<size_t>(i)] * (1 - t) + energies_[static_cast<size_t>(i) + 1] * t;
}

double Ggx::distribution(const Vec3& n) const {
  if (n.z <= 0)
    return 0;
  const double a2 = alpha_ * alpha_;
  const double c2 = n.z * n.z;
  // 1 - c2 by the other components, since GGX is steep where n.z is almost 1.
  const double base = c2 * a2 + n.x * n.x + n.y * n.y;
  return a2 / (pi * base * base);
}

double Ggx::lambda(const Vec3& v) const {
  const double tangent2 = (v.x * v.x + v.y * v.y) / (v.z * v.z);
  return (std::sqrt(1 + alpha_ * alpha_ * tangent2) - 1) / 2;
}

double Ggx::value(const Vec3& out, const Vec3& in) const {
  if (out.z <= 0 || in.z <= 0)
    return 0;
  const Vec3 half = normalised(out + in);
  const double masking = 1 / (1 + lambda(out) + lambda(in));
  const double single = distribution(half) * masking / (4 * out.z * in.z);
  const double lost = (1 - energy(out.z)) * (1 - energy(in.z));
  return single + (lost > 0 ? lost / (pi * (1 - mean_)) : 0);
}

Vec3 Ggx::visibleNormal(const Vec3& out, double u, double v) const {
  const Vec3 stretched = normalised({alpha_ * out.x, alpha_ * out.y, out.z});
  const double flat = std::hypot(stretched.x, stretched.y);
  const Vec3 first = flat > 0 ? Vec3{-stretched.y / flat, stretched.x / flat, 0} : Vec3{1, 0, 0};
  const Vec3 second = cross(stretched, first);
  const double r = std::sqrt(u);
  const double x = r * std::cos(2 * pi * v);
  const double share = (1 + stretched.z) / 2;
  const double y = (1 - share) * std::sqrt(1 - x * x) + share * r * std::sin(2 * pi * v);
  const Vec3 n = first * x + second * y + stretched * std::sqrt(std::max(0.0, 1 - x * x - y * y));
  return normalised({alpha_ * n.x, alpha_ * n.y, std::max(0.0, n.z)});
}

double Ggx::density(const Vec3& out, const Vec3& in) const {
  if (out.z <= 0)
    return 0;
  const Vec3 sum = out + in;
  const Vec3 half = length(sum) > 0 ? normalised(sum) : Vec3{0, 0, 1};
  return distribution(half) / (1 + lambda(out)) / (4 * out.z);
}

// The mean over visible normals, with the weight G2 / G1, or 0 if the mirrored direction is below the
// surface.
double Ggx::integrate(double cosine) const {
  const Vec3 out{std::sqrt(1 - cosine * cosine), 0, cosine};
  double sum = 0;
  for (int i = 0; i < grid; ++i) {
    for (int j = 0; j < grid; ++j) {
      const Vec3 in = mirrored(out, visibleNormal(out, (i + 0.5) / grid, (j + 0.5) / grid));
      sum += in.z > 0 ? (1 + lambda(out)) / (1 + lambda(out) + lambda(in)) : 0;
    }
  }
  return std::min(sum / (grid * grid), 1.0);
}

std::shared_ptr<const Ggx> sharedGgx(double roughness) {
  static std::mutex mutex;
  static std::map<double, std::shared_ptr<const Ggx>> known;
  const std::scoped_lock lock(mutex);
  std::shared_ptr<const Ggx>& ggx = known[roughness];
  if (!ggx)
    ggx = std::make_shared<const Ggx>(roughness);
  return ggx;
}

}  // namespace lacuna::pathtrace::reference
