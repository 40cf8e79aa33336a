#pragma once
// The module's planes of a pixel beside its colour: by one ray through the pixel's centre and the lens's.

#include "tests/pathtrace/reference_surface.h"

namespace lacuna::pathtrace::reference {

struct Feature {
  int id = 0;  // 0: nothing is there
  double depth = 1e10;
  Vec2 gradient;
  Vec2 motion;
  Vec3 albedo, normal;  // of this ray alone
  int primitive = none;
};

class Features {
 public:
  Features(const Scene& scene, double frame, double before, int width, int height);

  Feature at(double x, double y) const;  // in pixels, from the top left
  // The possible error of the albedo by single precision: the ray and its hit are rounded, then the texture's
  // coordinates, and the texture's gradient turns that into colours. Away from edges.
  Vec3 albedoRounding(double x, double y) const;
  // Whether another primitive, or another colour, is visible within a hundredth of a pixel.
  bool isEdge(double x, double y) const;

 private:
  Vec3 directionAt(const Lens& lens, double x, double y) const;
  Vec3 albedoAt(const Hit& hit) const;
  double shiftOf(const Hit& hit) const;
  Vec3 samplingRounding(const Hit& hit, const Texture& texture) const;
  Vec2 projected(const Lens& lens, const Vec3& direction) const;
  Vec2 gradientOf(const Hit& hit, const Vec3& direction) const;
  Vec2 motionOf(const std::optional<Hit>& hit, const Vec3& direction, double x, double y) const;

  double width_, height_;
  World world_;
  double before_;  // the moment of the frame before
  Surfaces surfaces_;
  Lens lens_, lensBefore_;
};

}  // namespace lacuna::pathtrace::reference
