#pragma once
// The kernels of a network's layers as [[node]] text, their shaders and their weights.

#include <string>

#include "cnn-unet/network/network.h"
#include "shared/kernel_node.h"
#include "shared/native.h"

namespace lacuna::unet {

constexpr uint32_t blockChannels = 16;  // what channels are padded to
inline uint32_t blocksOf(uint32_t channels) {
  return (channels + blockChannels - 1) / blockChannels;
}

// Text that all shaders of a network begin with.
std::string transferText(const Network& network);

class LayerNodes {
 public:
  // `size`: of the extended input, whose features are at `features`, "NODE.OUTPUT".
  LayerNodes(const Network& network, Size size, std::string features, const native::Builder& builder)
      : network_(network), size_(size), features_(std::move(features)), builder_(builder) {}

  std::string build() const;  // the last layer makes the connector `output`

 private:
  KernelNode node(size_t layer) const;
  std::string shaderText(size_t layer) const;
  std::string readText(const Layer& layer, size_t source) const;
  std::string sourcesText(const Layer& layer) const;
  void upload(size_t layer) const;
  Size sizeOf(int layer) const;

  const Network& network_;
  Size size_;
  std::string features_;
  const native::Builder& builder_;
};

}  // namespace lacuna::unet
