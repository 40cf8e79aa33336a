#pragma once
// The kernels of a network's layers as [[node]] text, their shaders and their weights.

#include <string>
#include <vector>

#include "cnn-unet/cut.h"
#include "cnn-unet/region.h"
#include "shared/native.h"

namespace lacuna::unet {

// Text that all shaders of a network begin with.
std::string arithmeticText(const native::Call& call);
std::string transferText(const Network& network);

class LayerNodes {
 public:
  // `image`: the whole picture's size.
  LayerNodes(const Network& network, Size image, const native::Call& call, const native::Builder& builder);

  std::string weights() const;  // for all regions
  // Layers read the nodes `features` and `features_pooled`, with the region's name.
  std::string build(const Region& region) const;
  std::string finish(const Regions& regions) const;  // the connector `output`

 private:
  struct Packed {
    Cut cut;  // for the whole picture
    uint64_t firstTile = 0, firstBias = 0;
  };
  bool isLast(size_t layer) const { return layer + 1 == network_.layers.size(); }
  KernelNode node(size_t layer, const Region& region) const;
  std::string shaderText(size_t layer, const Region& region) const;
  std::string sourcesText(const Layer& layer, Size size, Padding padding) const;

  const Network& network_;
  const native::Call& call_;
  const native::Builder& builder_;
  std::vector<Packed> packed_;
  std::vector<uint16_t> weights_;
  std::vector<float> biases_;
};

}  // namespace lacuna::unet
