#pragma once
// The colours of an image file, whatever it holds beside them.

#include <string>
#include <vector>

#include "graph/module/image_type.h"

namespace lacuna {

struct ColourImage {
  Extent extent;
  ColourTag colour = ColourTag::rec709;
  std::vector<float> rgb;  // linear, three values a pixel, in rows from the top
  bool hasAlpha = false;   // some pixel of the file is not opaque; its alpha is left out here
};

// Any of the codecs, told by the file's first bytes. PNG and JPEG are decoded from sRGB; of an OpenEXR file
// the colour is read; one component is taken as grey; alpha is left out. Throws FileError.
ColourImage loadColour(const std::string& path);

}  // namespace lacuna
