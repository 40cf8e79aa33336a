#pragma once
// Weights as kernels read them: tiles of 16 x 16, [8 pairs of inputs][16 outputs][2] in bits of half, with
// zeros for channels that aren't there. layer.glsl has the order of tiles.

#include <cstdint>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

constexpr uint64_t tileHalves = 256;

// How a layer's tiles are padded: each source's blocks to a multiple of `split`, outputs' to one of `wide`.
// And whether a layer that is read upsampled has sums of taps instead of nine.
struct Padding {
  uint32_t wide = 1, split = 1;
  bool hasSums = true;
};

uint32_t sourceTiles(const Network& network, const Source& source,
                     Padding padding);  // for a block of outputs
uint32_t inputTiles(const Network& network, const Layer& layer, Padding padding);

void appendWeights(const Network& network, const Layer& layer, Padding padding,
                   std::vector<uint16_t>& packed);
void appendBiases(const Layer& layer, Padding padding, std::vector<float>& packed);

}  // namespace lacuna::unet
