#pragma once
// The contribution of each pixel of a row to one of them after the levels of an à-trous filter without edge
// stopping, by the treatment of taps beyond the border (Dolp, Hanika, Dachsbacher 2024, section 4.1 and
// figure 8). Both axes of an image are alike and independent: a pixel's weight is the product of theirs.

#include <cstdint>
#include <span>
#include <vector>

#include "graph/pattern/permutation.h"

namespace lacuna {

enum class Border {
  zeroWeight,  // ours: taps outside have no weight, and the others are scaled up to a sum of one
  mirrored,    // the image is reflected at its border
  // A permuted layout whose taps continue into the neighbouring subimage, although its pixels belong
  // elsewhere. Beyond the first and the last subimage they have no weight, or are reflected if the layout is
  // mirrored, as in `tiled-mirrored`.
  embedded,
};

struct BorderStrategy {
  Border border = Border::zeroWeight;
  Embedding embedding{};  // embedded only
};

// Weights of the row's pixels in `pixel`; they add up to one. `kernel` has an odd number of taps and the sum
// one. size > 0, pixel < size.
std::vector<double> borderWeights(const BorderStrategy& strategy, std::span<const double> kernel,
                                  uint32_t size, uint32_t pixel, uint32_t levels);

// The share of the kernel's weight that lies outside the row at one level.
double weightOutside(std::span<const double> kernel, uint32_t size, uint32_t pixel, uint32_t level);

}  // namespace lacuna
