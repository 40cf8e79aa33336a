#include "tests/pathtrace/reference_features.h"

#include <algorithm>
#include <array>

namespace lacuna::pathtrace::reference {
namespace {

constexpr double unit = 0x1p-24;  // relative error of a number by rounding to single precision

Vec3 larger(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
Vec3 distance(const Vec3& a, const Vec3& b) {
  return {std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)};
}

// The corners of a square around 0.
std::array<Vec2, 4> cornersAround(double half) {
  return {Vec2{-half, -half}, {half, -half}, {-half, half}, {half, half}};
}

}  // namespace

Features::Features(const Scene& scene, double frame, double before, int width, int height)
    : width_(width),
      height_(height),
      world_(scene, frame),
      before_(before),
      surfaces_(scene),
      lens_(lensAt(scene.camera, frame, width, height)),
      lensBefore_(lensAt(scene.camera, before, width, height)) {}

Vec3 Features::directionAt(const Lens& lens, double x, double y) const {
  return lens.forward + lens.right * (2 * x / width_ - 1) + lens.up * (1 - 2 * y / height_);
}

// The place in the picture of a direction from the eye.
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
  const auto pointBefore = [&] {
    const Object& object = world_.scene().objects[static_cast<size_t>(hit->object)];
    return mapPoint(objectToWorld(poseAt(object, before_)), hit->objectPoint);
  };
  const Vec3 way = hit ? pointBefore() - lensBefore_.eye : direction;
  if (dot(way, lensBefore_.forward) <= 0)
    return {};
  const Vec2 earlier = projected(lensBefore_, way);
  return {earlier.x - x, earlier.y - y};
}

Feature Features::at(double x, double y) const {
  const Vec3 direction = directionAt(lens_, x, y);
  const std::optional<Hit> hit = world_.hit({lens_.eye, direction});
  Feature feature;
  feature.motion = motionOf(hit, direction, x, y);
  feature.albedo = atMostOne(world_.scene().background);
  if (hit) {
    const Place place = surfaces_.placeOf(*hit, direction);
    feature.id = hit->object + 1;
    feature.depth = hit->t;
    feature.gradient = gradientOf(*hit, direction);
    feature.albedo = albedoAt(*hit);
    feature.normal = place.shading;
    feature.primitive = hit->primitive;
  }
  return feature;
}

Vec3 Features::albedoAt(const Hit& hit) const {
  return atMostOne(surfaces_.shown(hit));
}

// Rounding moves rays and corners across each other, by 2e-6 of the coordinates that they come from: the
// module's own margin for points (`leaving` in surface.glsl). Returns the distance in the picture, in pixels.
double Features::shiftOf(const Hit& hit) const {
  const Vec3& eye = lens_.eye;
  const double reach =
      world_.largestCoordinate(hit.primitive) + std::max({std::abs(eye.x), std::abs(eye.y), std::abs(eye.z)});
  const double pixel = hit.t * length(lens_.right) * 2 / width_;
  return 2e-6 * reach / pixel;
}

// The error of a textured surface's coordinates: sums of three products, or an angle, times the scale; then a
// place in the image in texels. Each step rounds, the last one relative to one repetition. Texels are halves:
// 11 bits, and below 2^-14 steps of 2^-24.
Vec3 Features::samplingRounding(const Hit& hit, const Texture& texture) const {
  const Vec3 albedo = albedoAt(hit);
  const auto off = [](double coordinate, double scale) {
    return 8 * unit * (std::max(1.0, std::abs(coordinate)) + 1 / scale);
  };
  Vec3 sampled;
  for (const Vec2& away : cornersAround(1)) {
    Hit other = hit;
    other.uv.x += away.x * off(hit.uv.x, texture.scale.x);
    other.uv.y += away.y * off(hit.uv.y, texture.scale.y);
    sampled = larger(sampled, distance(albedoAt(other), albedo));
  }
  const bool isImage = texture.kind == Texture::Kind::image;
  return isImage ? sampled + albedo * 0x1p-11 + Vec3{0x1p-25, 0x1p-25, 0x1p-25} : sampled;
}

Vec3 Features::albedoRounding(double x, double y) const {
  const std::optional<Hit> hit = world_.hit({lens_.eye, directionAt(lens_, x, y)});
  const Vec3 albedo = hit ? albedoAt(*hit) : atMostOne(world_.scene().background);
  const Vec3 arithmetic = albedo * (8 * unit);
  const Texture* texture = hit ? surfaces_.textureOf(*hit) : nullptr;
  if (texture == nullptr)
    return arithmetic;
  Vec3 moved;
  for (const Vec2& away : cornersAround(shiftOf(*hit)))
    moved = larger(moved, distance(at(x + away.x, y + away.y).albedo, albedo));
  return moved + samplingRounding(*hit, *texture) + arithmetic;
}

bool Features::isEdge(double x, double y) const {
  constexpr double step = 0.01;
  const Feature here = at(x, y);
  const std::array<Vec2, 4> corners = cornersAround(step);
  return std::any_of(corners.begin(), corners.end(), [&](const Vec2& away) {
    const Feature there = at(x + away.x, y + away.y);
    return there.primitive != here.primitive || length(there.albedo - here.albedo) > 0.02;
  });
}

}  // namespace lacuna::pathtrace::reference
