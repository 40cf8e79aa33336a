#pragma once
// Weights as kernels read them: tiles of 16 x 16, [8 pairs of inputs][16 outputs][2], with zeros for
// missing channels. layer.glsl has the order of tiles.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cnn-unet/lattice.h"
#include "cnn-unet/network/network.h"

namespace lacuna::unet {

constexpr uint64_t tileValues = 256;

// The padding of a layer's tiles: each source's blocks to a multiple of `split`. And whether an upsampled
// layer uses sums of taps instead of nine taps.
struct Padding {
  uint32_t split = 1;
  bool hasSums = true;
};

uint32_t sourceTiles(const Network& network, const Source& source,
                     Padding padding);  // for a block of outputs
uint32_t inputTiles(const Network& network, const Layer& layer, Padding padding);

void appendWeights(const Network& network, const Layer& layer, Padding padding, std::vector<float>& packed);
void appendBiases(const Layer& layer, std::vector<float>& packed);
std::vector<uint16_t> halvesOf(const std::vector<float>& values);  // their bits

// The quads of results in a layer's first block of channels.
inline uint64_t resultQuads(const Layer& layer) {
  return divided(std::min(layer.channels, blockChannels), 4);
}

// How a layer's kernel is divided into tasks (layer.glsl).
struct Cut {
  uint32_t rows = 1, wide = 1, split = 1, groups = 4;
  bool hasSums = true;  // of taps (layer.glsl)

  Padding padding() const { return {split, hasSums}; }
};

// Whether a group needs an even number of rows: the layer is pooled, or read upsampled.
bool isInPairs(const Network& network, size_t layer, LayerKind kind);

// `lattice`: the layer's, for the whole picture.
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice, LayerKind kind);

// The same for a part of the picture, with the same sums in the same order.
Cut cutWithin(Cut cut, const Lattice& lattice);

// Workgroups for each `wide` blocks, of so many columns.
uint64_t tasksOf(const Cut& cut, const Lattice& lattice, uint32_t columns);

}  // namespace lacuna::unet
