#pragma once
// A layer's convolution by oneDNN.

#if HAS_ONEDNN

#include <oneapi/dnnl/dnnl.hpp>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

// A 3x3 convolution of a fixed number of rows. Any thread may run it.
class Convolution3 {
 public:
  Convolution3(const dnnl::engine& engine, const Layer& layer, int width, int rows);

  size_t scratchpadFloats() const { return scratchpad_.get_size() / sizeof(float) + 1; }
  void run(const float* source, float* result, float* scratchpad) const;

 private:
  dnnl::engine engine_;
  dnnl::primitive primitive_;
  dnnl::memory::desc source_, result_, scratchpad_;
  dnnl::memory weights_, biases_;
};

// oneDNN's own threads, of the calling one.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  const int before_;
};

}  // namespace lacuna::unet

#endif
