#pragma once
// demosaic in double precision, written plane by plane.

#include "graph/values/mosaic_pattern.h"
#include "tests/references/picture.h"

namespace lacuna::test {

// 0, 1, 2: R, G, B.
int colourAt(const MosaicPattern& pattern, int x, int y);

// Bayer patterns: Pekkucuksen and Altunbasak 2010, with windows of demosaic's size. Others: colours by
// normalised convolution, twice. Three components.
Picture demosaiced(const Picture& mosaic, const MosaicPattern& pattern, double offset);

}  // namespace lacuna::test
