#pragma once
// Weights as layer.glsl reads them.

#include <cstdint>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

// [blocks of outputs][blocks of inputs][tap][8 pairs of inputs][16 outputs][2] in bits of half, with zeros
// for channels that aren't there. Each source begins with a block of its own.
std::vector<uint16_t> packWeights(const Network& network, const Layer& layer);

std::vector<float> packBiases(const Layer& layer);  // as many as blocks of outputs hold

uint32_t inputBlocksOf(const Network& network, const Layer& layer);

}  // namespace lacuna::unet
