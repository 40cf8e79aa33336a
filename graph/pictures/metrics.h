#pragma once
// Differences of a picture from a reference. Installed: lacuna.h includes it.

#include <cstdint>

namespace lacuna {

// If no value is finite in both images, all but notFinite are NaN: nothing can be measured.
struct Metrics {
  double relMse = 0.0;            // mean of (a - b)^2 / (b^2 + 0.01), linear
  double psnr = 0.0;              // dB, on clipped sRGB; infinite for equal images
  double ssim = 1.0;              // on the luma of clipped sRGB, 11 x 11 Gaussian window, sigma 1.5
  double maxRelativeError = 0.0;  // of |a - b| / max(|b|, 0.01), linear
  double meanRelativeError = 0.0;
  double flip = 0.0;       // mean of LDR-FLIP, 0 to 1 (flip.h)
  uint64_t notFinite = 0;  // values that are NaN or infinite in either image
};

}  // namespace lacuna
