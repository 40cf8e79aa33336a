#pragma once
// Irradiance that is known exactly, for an unobstructed light of radiance 1.

#include <numbers>
#include <vector>

#include "pathtrace/scene/vector.h"

namespace lacuna::pathtrace::reference {

// Irradiance of a polygon wholly above the horizon, with counter-clockwise corners seen from its front, at a
// point with a normal: half the sum over edges of the angle under which each is seen, times the cosine
// between its plane's normal and the point's (Lambert 1760; Baum, Rushmeier, Winget 1989, Improving Radiosity
// Solutions, eq. 2).
inline double polygonIrradiance(const std::vector<Vec3>& corners, const Vec3& point, const Vec3& normal) {
  double sum = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = normalised(corners[i] - point);
    const Vec3 b = normalised(corners[(i + 1) % corners.size()] - point);
    const Vec3 across = cross(b, a);
    sum += std::atan2(length(across), dot(a, b)) * dot(normalised(across), normal);
  }
  return sum / 2;
}

// Irradiance of a sphere wholly above the horizon: pi times the squared sine of its half angle, times the
// cosine.
inline double sphereIrradiance(const Vec3& centre, double radius, const Vec3& point, const Vec3& normal) {
  const Vec3 way = centre - point;
  const double distance2 = dot(way, way);
  return std::numbers::pi * radius * radius / distance2 * dot(way, normal) / std::sqrt(distance2);
}

}  // namespace lacuna::pathtrace::reference
