#pragma once
// The bilateral filter as a plain loop on one thread (Larsson 2015, equations 2.8 and 2.9, version 0), to
// compare with.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/module/image_type.h"

namespace lacuna {

struct BilateralSigmas {
  double space = 3.0;   // pixels
  double range = 30.0;  // 8-bit levels
};

struct SequentialBilateral {
  double ms = 0.0;              // for a whole image, except for the frame; 0: there is only a frame
  size_t rows = 0;              // number of rows that half a second was enough for, below the frame
  std::vector<uint8_t> output;  // `channels` levels a pixel, of the computed part
};

// For an image of 8 bit, each channel alone, without the frame of `radius` pixels. `pixels`: bytes with the
// channels first.
SequentialBilateral sequentialBilateral(std::span<const std::byte> pixels, Extent size, int channels,
                                        int radius, BilateralSigmas sigmas);

// Bytes of a pattern that no two neighbours share.
void fillWithNoise(std::span<std::byte> bytes);

}  // namespace lacuna
