#pragma once
// A network's layers as a host node computes them, from build() to compute(): numbers of one upload, and the
// weights of another.

#include <cstdint>
#include <string>
#include <vector>

#include "cnn-unet/network/network.h"
#include "shared/kernel_node.h"
#include "shared/native.h"

namespace lacuna::unet {

// Of the node's input and outputs: a pixel's floats lie in a row.
struct HostLayers {
  Size image;     // the output's
  Size extended;  // the input's: a multiple of what the network halves
  uint32_t inputChannels = 0;
  uint32_t resultFloats = 0;  // of a pixel of the output, beyond the last layer's channels
  std::vector<Layer> layers;  // with weights and biases
};

HostLayers hostLayersOf(const Network& network, Size image);
std::vector<uint32_t> numbersOf(const HostLayers& layers);
std::vector<float> weightsOf(const HostLayers& layers);
HostLayers readHostLayers(const uint32_t* numbers, const float* weights);

// Whether this build has oneDNN (host_network.cpp).
bool canComputeOnHost();
// The host node's work; inputs `features`, `numbers`, `weights`, and the output `output`.
void computeNetwork(const native::Call& call, const native::Planes& inputs, const native::Planes& outputs);

}  // namespace lacuna::unet
