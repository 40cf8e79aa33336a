#pragma once
// How far an image is from a reference. NaN and infinite values are counted and left out of the relative
// errors; on screen NaN is black.

#include <cstdint>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna {

// Where no value is finite in both images all but notFinite are NaN: nothing can be measured.
struct Metrics {
  double relMse = 0.0;            // mean of (a - b)^2 / (b^2 + 0.01), linear
  double psnr = 0.0;              // dB, on clipped sRGB; infinite for equal images
  double ssim = 1.0;              // on the luma of clipped sRGB, 11 x 11 Gaussian window, sigma 1.5
  double maxRelativeError = 0.0;  // of |a - b| / max(|b|, 0.01), linear
  double meanRelativeError = 0.0;
  double flip = 0.0;       // mean of LDR-FLIP, 0 to 1 (flip.h)
  uint64_t notFinite = 0;  // values that are NaN or infinite in either image
};

// Needs: equal extents and tags; `b` is the reference. Throws FileError where that takes more than
// readMemory().
Metrics compare(const ColourImage& a, const ColourImage& b);

// The values as PSNR and SSIM see them: clipped to [0, 1], on the curve of sRGB; NaN: 0.
std::vector<double> onScreen(const ColourImage& image);

// How much more or less a sequence changes from frame to frame than its reference: mean over pixels and
// components of |(a - aBefore) - (b - bBefore)|, of values on screen. Needs: equal extents.
double temporalError(const std::vector<double>& a, const std::vector<double>& aBefore,
                     const std::vector<double>& b, const std::vector<double>& bBefore);

}  // namespace lacuna
