#pragma once
// What the kernels of a network's layers read.

#include "cnn-unet/region.h"

namespace lacuna::unet {

struct Read {
  std::string output;  // "NODE.OUTPUT"
  Lattice lattice;
  bool isUpsampled = false;  // by the reader
};

// A source itself; of unfused layers, what is pooled comes from a pass of its own.
Read readOf(const Network& network, const Source& source, const Region& region, LayerKind kind);

// Inputs `source0`, `source1`, ... of a node, and for their places in its shader: constants `blocks0`,
// `pitch0` and the function `place0`, ...
std::vector<std::pair<std::string, std::string>> inputsFor(const std::vector<Read>& reads);
std::string placesText(const std::vector<Read>& reads);

}  // namespace lacuna::unet
