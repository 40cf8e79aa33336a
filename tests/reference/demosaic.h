#pragma once
// demosaic and rawprep in double precision, written plane by plane.

#include <array>

#include "graph/values/mosaic_pattern.h"
#include "tests/references/picture.h"

namespace lacuna::test {

// 0, 1, 2: R, G, B.
int colourAt(const MosaicPattern& pattern, int x, int y);

// Bayer patterns: Pekkucuksen and Altunbasak 2010, with windows of demosaic's size. Others: colours by
// normalised convolution, twice. Three components.
Picture demosaiced(const Picture& mosaic, const MosaicPattern& pattern, double offset);

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

}  // namespace lacuna::test
