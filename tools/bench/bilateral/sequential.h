#pragma once
// The bilateral filter as a plain loop on one thread (Larsson 2015, equations 2.8 and 2.9, version 0), to
// compare with.

#include <cstddef>
#include <span>

#include "graph/module/image_type.h"

namespace lacuna {

struct BilateralSigmas {
  double space = 3.0;   // pixels
  double range = 30.0;  // 8-bit levels
};

// Milliseconds for a whole image of 8 bit, each channel alone, without the frame of `radius` pixels: of as
// many rows as half a second takes, scaled up.
double sequentialBilateralMs(Extent size, int channels, int radius, BilateralSigmas sigmas);

// Bytes of a pattern that no two neighbours share.
void fillWithNoise(std::span<std::byte> bytes);

}  // namespace lacuna
