#pragma once
// Ray histogram fusion's finest scale as a plain loop on one thread, from its definition (Delbracio et al.
// 2014, section 3), in floats, histograms one after the other in memory.

#include <span>

#include "graph/values/image_type.h"

namespace lacuna {

struct RhfDefaults {
  int search = 6, patch = 1, k = 2;
  float threshold = 0.8F;
};

struct SequentialTime {
  double ms = 0.0;    // for the whole picture; 0 if it is smaller than a patch
  uint32_t rows = 0;  // number of filtered pixels, in its middle; the others are assumed to take as long
};

// `planes`: bins of all colours, then the numbers of samples.
SequentialTime sequentialRhf(std::span<const float> planes, Extent size, const RhfDefaults& parameters);

}  // namespace lacuna
