#pragma once
// The kernels of a network's layers as [[node]] text, their shaders and their weights.

#include <string>

#include "cnn-unet/lattice.h"
#include "cnn-unet/packed_weights.h"
#include "shared/native.h"

namespace lacuna::unet {

// Text that all shaders of a network begin with.
std::string arithmeticText(const native::Call& call);
std::string transferText(const Network& network);

// How a kernel is cut (layer.glsl).
struct Cut {
  uint32_t rows = 1, wide = 1, split = 1, groups = 4;
};
Cut cutOf(const Network& network, size_t layer, const Lattice& lattice);

class LayerNodes {
 public:
  // The network's input is the output of the node `features`, and of `features_pooled`.
  LayerNodes(const Network& network, Size image, const native::Call& call, const native::Builder& builder);

  std::string build() const;  // the last layer makes the connector `output`

 private:
  struct Made {
    Lattice lattice;
    Cut cut;
    Workgroups workgroups;  // for each `wide` blocks
    uint64_t firstTile, firstBias;
  };
  KernelNode node(size_t layer) const;
  std::string shaderText(size_t layer) const;
  std::string sourcesText(const Layer& layer, Padding padding) const;
  std::string packWeights() const;

  const Network& network_;
  Size image_;
  const native::Call& call_;
  const native::Builder& builder_;
  std::vector<Made> made_;
  std::vector<uint16_t> weights_;
  std::vector<float> biases_;
};

}  // namespace lacuna::unet
