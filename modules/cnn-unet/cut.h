#pragma once
// How a layer's kernel is cut into tasks (layer.glsl).

#include "cnn-unet/lattice.h"
#include "cnn-unet/packed_weights.h"

namespace lacuna::unet {

struct Cut {
  uint32_t rows = 1, wide = 1, split = 1, groups = 4;
  bool hasSums = true;  // of taps (layer.glsl)

  Padding padding() const { return {wide, split, hasSums}; }
};

// `lattice`: the layer's, for the whole picture.
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice, LayerKind kind);

// The same for a part of the picture: the same sums in the same order.
Cut cutWithin(Cut cut, const Lattice& lattice);

Workgroups workgroupsOf(const Cut& cut, const Lattice& lattice);  // for each `wide` blocks

}  // namespace lacuna::unet
