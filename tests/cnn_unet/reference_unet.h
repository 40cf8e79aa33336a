#pragma once
// The denoiser of a weights file by its definition (tools/train/README.md), in double precision.

#include <map>
#include <string>

#include "cnn-unet/network/network.h"
#include "tests/support/memory_graph.h"

namespace lacuna::test {

// Values in the order of files: channel after channel, row after row.
struct Channelled {
  int channels = 0, height = 0, width = 0;
  std::vector<double> values;

  Channelled() = default;
  Channelled(int c, int h, int w) : channels(c), height(h), width(w) { values.resize(index(c, 0, 0)); }
  size_t index(int c, int y, int x) const {
    return (static_cast<size_t>(c) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
               static_cast<size_t>(width) +
           static_cast<size_t>(x);
  }
  double& at(int c, int y, int x) { return values[index(c, y, x)]; }
  double at(int c, int y, int x) const { return values[index(c, y, x)]; }
};

// Planes by connector: input, albedo, normal, depth.
using RenderPlanes = std::map<std::string, Channelled>;

Channelled denoised(const unet::Network& network, const RenderPlanes& planes);

// The results of the network's layers, in their order, and its input.
struct Activations {
  Channelled input;
  std::vector<Channelled> layers;
};
Activations activationsOf(const unet::Network& network, const RenderPlanes& planes);
Activations activationsOf(const unet::Network& network, Channelled input);  // the network's

// The last layer's result for this picture, if nothing was clipped.
Channelled lastLayerOf(const unet::Network& network, const RenderPlanes& planes, const Channelled& picture);

}  // namespace lacuna::test
