#pragma once
// Differences of an image from a reference. NaN and infinite values are counted and omitted from the relative
// errors; on screen NaN is black.

#include <vector>

#include "graph/pictures/metrics.h"
#include "graph/values/image_type.h"

namespace lacuna {

// Needs: equal extents and tags; `b` is the reference. Throws FileError if that takes more than
// readMemory().
Metrics compare(const ColourImage& a, const ColourImage& b);

// The values for PSNR and SSIM: clipped to [0, 1], on the curve of sRGB; NaN: 0.
std::vector<double> onScreen(const ColourImage& image);

// How much more or less a sequence changes from frame to frame than its reference: mean over pixels and
// components of |(a - aBefore) - (b - bBefore)|, of values on screen. Needs: equal extents.
double temporalError(const std::vector<double>& a, const std::vector<double>& aBefore,
                     const std::vector<double>& b, const std::vector<double>& bBefore);

}  // namespace lacuna
