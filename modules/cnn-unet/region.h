#pragma once
// Pictures that need more memory than there may be are computed region after region. Each is a rectangle of
// which the core is kept; around it lies what the core depends on, so that its pixels are those of the whole
// picture, bit by bit.

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
  Size size;     // pixels that are there
  Place core;    // from the region's origin
  Size coreSize;
  std::string name;  // what its nodes' names end with
};

// Regions in rows.
struct Regions {
  Size core;  // of all but the last ones
  uint32_t columns = 1;
  std::vector<Region> all;
};

// Bytes of layers that are there at once, at most, in a picture of that size.
uint64_t bytesFor(const Network& network, Size size, LayerKind kind);

// Each needs `bytes` at most, unless the picture has too many pixels for the regions that there may be.
Regions regionsFor(const Network& network, Size image, LayerKind kind, uint64_t bytes);

}  // namespace lacuna::unet
