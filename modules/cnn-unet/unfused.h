#pragma once
// The passes around separate convolutions, for unfused layers.

#include "cnn-unet/layer_nodes.h"
#include "shared/native.h"

namespace lacuna::unet {

class UnfusedPasses {
 public:
  UnfusedPasses(const Network& network, const native::Call& call, const native::Builder& builder, Size size)
      : network_(network), call_(call), builder_(builder), size_(size) {}

  // The input of the layer's convolution: its source, or the result of upsampling and concatenation. Each
  // source's blocks are padded with zeros to a multiple of `split`.
  Read gather(size_t layer, uint32_t split);
  // Bias and ReLU of the node `layerN_sums`, and its pooled values.
  void finish(size_t layer, uint64_t firstBias);

  const std::string& text() const { return text_; }  // nodes

 private:
  struct Pass {
    std::string name;
    Lattice lattice;         // of its output
    uint64_t fragments = 0;  // fragments that it writes, one for each group
    std::vector<Read> reads;
    std::string shader;
    bool hasBias = false;
  };
  Read add(const Pass& pass);
  Read upsampled(size_t layer, size_t source, const Read& read);

  const Network& network_;
  const native::Call& call_;
  const native::Builder& builder_;
  const Size size_;
  std::string text_;
};

}  // namespace lacuna::unet
