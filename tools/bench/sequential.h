#pragma once
// Filters as plain loops on one thread, to compare with.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/values/image_type.h"

namespace lacuna {

struct SequentialTime {
  double ms = 0.0;    // for the whole picture, of which some rows were filtered; 0 if there are none
  uint32_t rows = 0;  // number of filtered rows; the others are assumed to take as long
};

struct BilateralSigmas {
  double space = 3.0;   // pixels
  double range = 30.0;  // 8-bit levels
};

struct SequentialBilateral : SequentialTime {
  std::vector<uint8_t> output;  // `channels` levels a pixel, of the computed rows
};

// The bilateral filter (Larsson 2015, equations 2.8 and 2.9, version 0) of an image of 8 bit, each channel
// alone, without the border of `radius` pixels, from the first row below it on. `pixels`: bytes with the
// channels first.
SequentialBilateral sequentialBilateral(std::span<const std::byte> pixels, Extent size, int channels,
                                        int radius, BilateralSigmas sigmas);

struct RhfDefaults {
  int search = 6, patch = 1, k = 2;
  float threshold = 0.8F;
};

// Ray histogram fusion's finest scale, from its definition (Delbracio et al. 2014, section 3), in floats,
// histograms one after the other in memory. `planes`: bins of all colours, then the numbers of samples.
SequentialTime sequentialRhf(std::span<const float> planes, Extent size, const RhfDefaults& parameters);

}  // namespace lacuna
