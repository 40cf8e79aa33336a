#include "tests/pathtrace/reference_lights.h"

#include <algorithm>

namespace lacuna::pathtrace::reference {

Lights::Lights(const World& world) : world_(world), densities_(world.primitives().size(), 0.0) {
  double sum = 0;
  for (size_t i = 0; i < world.primitives().size(); ++i) {
    const int material = world.materialOf(world.primitives()[i]);
    const Material& m = world.scene().materials[static_cast<size_t>(material)];
    const double power =
        m.surface == Surface::emissive ? luminance(m.radiance) * areaOf(static_cast<int>(i)) : 0;
    if (power > 0) {
      sum += power;
      lights_.push_back({static_cast<int>(i), sum, m.radiance});
      densities_[i] = luminance(m.radiance);
    }
  }
  for (Light& light : lights_) {
    light.until /= sum;
    densities_[static_cast<size_t>(light.primitive)] /= sum;
  }
}

// Spheres that emit are scaled alike in all directions.
double Lights::areaOf(int primitive) const {
  const Primitive& p = world_.primitives()[static_cast<size_t>(primitive)];
  if (p.triangle != nullptr)
    return length(cross(p.edge1, p.edge2)) / 2;
  const double radius = (p.box.high.x - p.box.low.x) / 2;
  return 4 * pi * radius * radius;
}

LightPoint Lights::choose(Random& random) const {
  const double chosen = random.uniform();
  const auto after = std::upper_bound(lights_.begin(), lights_.end(), chosen,
                                      [](double value, const Light& light) { return value < light.until; });
  const Light& light = after != lights_.end() ? *after : lights_.back();
  const Primitive& p = world_.primitives()[static_cast<size_t>(light.primitive)];
  const double u = random.uniform();
  const double v = random.uniform();
  LightPoint point;
  point.primitive = light.primitive;
  point.radiance = light.radiance;
  point.density = density(light.primitive);
  if (p.triangle != nullptr) {
    const double root = std::sqrt(u);
    point.point = p.corner + p.edge1 * (root * (1 - v)) + p.edge2 * (root * v);
    point.normal = world_.frontOf(p);
  } else {
    const double z = 1 - 2 * u;
    const double r = std::sqrt(std::max(0.0, 1 - z * z));
    point.normal = {r * std::cos(2 * pi * v), r * std::sin(2 * pi * v), z};
    point.point = (p.box.low + p.box.high) * 0.5 + point.normal * ((p.box.high.x - p.box.low.x) / 2);
  }
  return point;
}

}  // namespace lacuna::pathtrace::reference
