#pragma once
// Pictures that need more memory than allowed are computed region after region. Each is a rectangle whose
// core is kept; around it are the pixels that the core depends on, so the core's bits are those of the whole
// picture.

#include <cstdint>
#include <string>
#include <vector>

#include "cnn-unet/lattice.h"

namespace lacuna::unet {

struct Place {
  uint32_t x = 0, y = 0;
};

struct Region {
  Place origin;  // of the picture
  Size size;     // existing pixels
  Place core;    // from the region's origin
  Size coreSize;
  std::string name;  // suffix of its nodes' names
};

// Regions in rows.
struct Regions {
  Size core;  // of all but the last ones
  uint32_t columns = 1;
  std::vector<Region> all;
};

// The most bytes of layers that exist at once, for a picture of that size.
uint64_t bytesFor(const Network& network, Size size, LayerKind kind);

// Each needs `bytes` at most, unless the picture has too many pixels for the largest number of regions.
Regions regionsFor(const Network& network, Size image, LayerKind kind, uint64_t bytes);

}  // namespace lacuna::unet
