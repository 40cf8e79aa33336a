#pragma once
// Random frames with the geometry that temporal filters read: two surfaces that meet at an edge, rough and
// sloped, with holes, seen by a camera that moves a little. No value is so close to a threshold that rounding
// in float would decide.

#include <map>
#include <random>
#include <string>

#include "tests/reference/svgf.h"

namespace lacuna::test {

class RandomSurfaces {
 public:
  RandomSurfaces(std::mt19937_64& random, Extent extent);

  // The next frame: `in` (rgba), `albedo`, `normal`, `depth`, `motion`, perhaps `id`; all f32.
  std::map<std::string, Image> frame(bool withId);
  // Adds `gradient`, which is almost unrelated to depth, with some NaN and infinities.
  void addGradient(std::map<std::string, Image>& images);

 private:
  struct Side {
    double normal[3];
    double depth, slope, id;
  };
  void setPixel(std::map<std::string, Image>& images, uint32_t x, uint32_t y, const double shift[2]);
  void setDepth(Image& image, uint32_t x, uint32_t y);
  void clearSlopes(Image& depth);
  void setNormal(Image& image, uint32_t x, uint32_t y, const Side& side, bool hole);

  std::mt19937_64& random_;
  Extent extent_;
  double edge_;
  Side sides_[2];
};

SvgfFrame frameOf(const std::map<std::string, Image>& images);

}  // namespace lacuna::test
