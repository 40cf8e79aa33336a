#pragma once
// The bilateral filter as a plain loop on one thread (Larsson 2015, equations 2.8 and 2.9, version 0), to
// compare with.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/values/image_type.h"

namespace lacuna {

struct BilateralSigmas {
  double space = 3.0;   // pixels
  double range = 30.0;  // 8-bit levels
};

struct SequentialBilateral {
  double ms = 0.0;              // for a whole image, except for its border; 0 if there is only a border
  size_t rows = 0;              // number of rows below the border that were filtered in half a second
  std::vector<uint8_t> output;  // `channels` levels a pixel, of the computed part
};

// For an image of 8 bit, each channel alone, without the border of `radius` pixels. `pixels`: bytes with the
// channels first.
SequentialBilateral sequentialBilateral(std::span<const std::byte> pixels, Extent size, int channels,
                                        int radius, BilateralSigmas sigmas);

// Bytes of a pattern in which neighbours differ.
void fillWithNoise(std::span<std::byte> bytes);

}  // namespace lacuna
