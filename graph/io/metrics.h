#pragma once
// How far an image is from a reference. NaN and infinite values are counted and left out of the rest.

#include <string>
#include <vector>

#include "graph/module/image_type.h"

namespace lacuna {

struct ColourImage {
  Extent extent;
  ColourTag colour = ColourTag::rec709;
  std::vector<float> rgb;  // linear, three values a pixel, in rows from the top
};

// Any of the codecs, told by the file's first bytes. PNG and JPEG are decoded from sRGB; of an OpenEXR file
// the colour is read; one component is taken as grey; alpha is left out. Throws FileError.
ColourImage loadColour(const std::string& path);

struct Metrics {
  double relMse = 0.0;            // mean of (a - b)^2 / (b^2 + 0.01), linear
  double psnr = 0.0;              // dB, on clipped sRGB; infinite for equal images
  double ssim = 1.0;              // on the luma of clipped sRGB, 11 x 11 Gaussian window, sigma 1.5
  double maxRelativeError = 0.0;  // of |a - b| / max(|b|, 0.01), linear
  double meanRelativeError = 0.0;
  uint64_t notFinite = 0;  // values that are NaN or infinite in either image
};

// Needs: equal extents and tags; `b` is the reference.
Metrics compare(const ColourImage& a, const ColourImage& b);

}  // namespace lacuna
