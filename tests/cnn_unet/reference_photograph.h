#pragma once
// Networks for photographs by their definition (tools/train/README.md, 'Photographs'), in double precision.

#include <string>
#include <vector>

#include "tests/cnn_unet/reference_unet.h"

namespace lacuna::test {

struct Photograph {
  Channelled picture;   // linear: a mosaic of one channel, or three colours
  std::string pattern;  // of a mosaic: "rggb"
  std::vector<double>
      noise;  // a mosaic's factors of red, green, blue, and a and b; else a curve's four numbers
  double strength = 1.0;
};

Channelled denoised(const unet::Network& network, const Photograph& photograph);

// The network's input.
Channelled cellsOf(const unet::Network& network, const Photograph& photograph);

}  // namespace lacuna::test
