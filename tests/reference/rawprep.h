#pragma once
// rawprep and highlights in double precision, pixel by pixel.

#include <array>

#include "graph/values/mosaic_pattern.h"
#include "tests/references/picture.h"

namespace lacuna::test {

struct Sensor {
  std::array<double, 4> black{};
  double white = 1.0;
  std::array<double, 3> gains{1.0, 1.0, 1.0};
  double noiseA = 0.0, noiseB = 0.0;  // of the variance, before gains
};
Picture balanced(const Picture& mosaic, const MosaicPattern& pattern, const Sensor& sensor);

struct Mending {
  bool rebuildsHighlights = true;
  bool findsHotPixels = true;
};
Picture mended(const Picture& balanced, const MosaicPattern& pattern, const Sensor& sensor,
               const Mending& mending);
// Of a picture that has all colours.
Picture rebuiltHighlights(const Picture& picture, const std::array<double, 3>& gains);

}  // namespace lacuna::test
