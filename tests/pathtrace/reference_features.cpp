#include "tests/pathtrace/reference_features.h"

#include <algorithm>
#include <array>

namespace lacuna::pathtrace::reference {

Features::Features(const Scene& scene, double frame, double before, int width, int height)
    : width_(width),
      height_(height),
      world_(scene, frame),
      before_(scene, before),
      surfaces_(scene),
      lens_(lensAt(scene.camera, frame, width, height)),
      lensBefore_(lensAt(scene.camera, before, width, height)) {}

Vec3 Features::directionAt(const Lens& lens, double x, double y) const {
  return lens.forward + lens.right * (2 * x / width_ - 1) + lens.up * (1 - 2 * y / height_);
}

// Where a direction from the eye, in front of it, meets the picture.
Vec2 Features::projected(const Lens& lens, const Vec3& direction) const {
  const double depth = dot(direction, lens.forward);
  const double right = dot(direction, lens.right) / dot(lens.right, lens.right) / depth;
  const double up = dot(direction, lens.up) / dot(lens.up, lens.up) / depth;
  return {(right + 1) / 2 * width_, (1 - up) / 2 * height_};
}

// On the plane through the point: depth is proportional to 1 / (normal . direction).
Vec2 Features::gradientOf(const Hit& hit, const Vec3& direction) const {
  const double along = dot(hit.geometric, direction);
  return {-hit.t * dot(hit.geometric, lens_.right) * 2 / width_ / along,
          hit.t * dot(hit.geometric, lens_.up) * 2 / height_ / along};
}

Vec2 Features::motionOf(const std::optional<Hit>& hit, const Vec3& direction, double x, double y) const {
  const Vec3 way =
      hit ? mapPoint(before_.toWorld(hit->object), hit->objectPoint) - lensBefore_.eye : direction;
  if (dot(way, lensBefore_.forward) <= 0) {
    return {};
  }
  const Vec2 earlier = projected(lensBefore_, way);
  return {earlier.x - x, earlier.y - y};
}

Feature Features::at(double x, double y) const {
  const Vec3 direction = directionAt(lens_, x, y);
  const std::optional<Hit> hit = world_.hit({lens_.eye, direction});
  const auto atMostOne = [](const Vec3& v) {
    return Vec3{std::min(v.x, 1.0), std::min(v.y, 1.0), std::min(v.z, 1.0)};
  };
  Feature feature;
  feature.motion = motionOf(hit, direction, x, y);
  feature.albedo = atMostOne(world_.scene().background);
  if (hit) {
    const Place place = surfaces_.placeOf(*hit, direction);
    feature.id = hit->object + 1;
    feature.depth = hit->t;
    feature.gradient = gradientOf(*hit, direction);
    feature.albedo = atMostOne(surfaces_.shown(*hit));
    feature.normal = place.shading;
    feature.primitive = hit->primitive;
  }
  return feature;
}

bool Features::isEdge(double x, double y) const {
  constexpr double step = 0.01;
  const Feature here = at(x, y);
  const std::array<Vec2, 4> around = {Vec2{-step, -step}, {step, -step}, {-step, step}, {step, step}};
  return std::any_of(around.begin(), around.end(), [&](const Vec2& away) {
    const Feature there = at(x + away.x, y + away.y);
    return there.primitive != here.primitive || length(there.albedo - here.albedo) > 0.02;
  });
}

}  // namespace lacuna::pathtrace::reference
