#pragma once
// The colours of a picture, without its other planes.

#include <vector>

#include "graph/values/image_type.h"

namespace lacuna {

struct ColourImage {
  Extent extent;
  ColourTag colour = ColourTag::rec709;
  std::vector<float> rgb;  // linear, three values a pixel, in rows from the top
  bool hasAlpha = false;   // its file has a pixel that is not opaque; alpha is left out here
};

}  // namespace lacuna
