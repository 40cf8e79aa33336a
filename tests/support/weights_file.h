#pragma once
// Weights files of cnn-unet with random numbers, as tools/train writes them.

#include <nlohmann/json_fwd.hpp>
#include <random>
#include <string>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna::test {

nlohmann::json descriptionOf(const unet::Network& network);

// A safetensors file: tensors in the order of the layers, without gaps.
std::string weightsFile(const unet::Network& network);
// The same with this header and data.
std::string safetensors(const nlohmann::json& header, const std::string& data);

// A small U-Net with every way to read a source, for these planes. `widest`: channels of a layer, at most.
unet::Network randomNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes, int widest);

// Three layers: one that is pooled, one that is upsampled, and the last.
unet::Network smallestNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes);

// So many layers of a few channels, one after the other.
unet::Network deepNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes, int layers);

// The study's (Vannson 2023, figure 2), with ReLU behind all layers but the last; of 7 channels it has 861093
// parameters.
unet::Network studyNetwork(std::mt19937_64& random, const std::vector<unet::Plane>& planes);

// An archive of Open Image Denoise: in halves, or floats.
std::string archiveFile(const unet::Network& network, bool inFloats = false);

// Open Image Denoise's network with random weights and few channels, of `isLarge` the large one. `inputs`: 3,
// 6 or 9 channels.
unet::Network archivedNetwork(std::mt19937_64& random, unet::Transfer transfer, uint32_t inputs, int widest,
                              bool isLarge = false);

}  // namespace lacuna::test
