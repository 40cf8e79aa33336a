#pragma once
// PyTorch's results for a picture with some weights: files by tests/train/golden.py.

#include "cnn-unet/network/safetensors.h"
#include "tests/cnn_unet/reference_unet.h"

namespace lacuna::test {

class GoldenFile {
 public:
  // "tiny-rgb", "64x64"; if there are no weights beside the file, the module's own are used.
  GoldenFile(const std::string& weights, const std::string& size);

  const std::string& weights() const { return weights_; }  // the file
  // frame: "-0", "-1", ... of networks with history
  RenderPlanes planes(const std::string& frame = {}) const;
  Channelled image(const std::string& tensor) const;
  // 64 samples of a tensor that is too large; none of whole tensors.
  std::vector<double> samples(const std::string& tensor) const;
  bool isWhole(const std::string& tensor) const;

 private:
  unet::Safetensors file_;
  std::string weights_;
};

// The index of a layer's number that is sample i.
inline size_t placeOfSample(size_t i, size_t count) {
  return 7919 * i % count;
}

}  // namespace lacuna::test
