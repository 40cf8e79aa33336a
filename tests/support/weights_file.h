#pragma once
// Weights files of cnn-unet with random numbers.

#include <random>
#include <string>
#include <vector>

#include "cnn-unet/network/write_network.h"

namespace lacuna::test {

using unet::safetensors;

// A small U-Net with every way to read a source, for these planes. `widest`: channels of a layer, at most.
unet::Network randomNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes, int widest);

// Three layers: one that is pooled, one that is upsampled, and the last.
unet::Network smallestNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes);

// So many layers of a few channels, one after the other.
unet::Network deepNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes, int layers);

// Open Image Denoise's network with random weights and few channels, or its large one. `inputs`: 3, 6 or 9
// channels.
unet::Network archivedNetwork(std::mt19937_64& random, unet::Transfer transfer, uint32_t inputs, int widest,
                              bool isLarge = false);

}  // namespace lacuna::test
