#pragma once
// What the convolutions of a U-Net cost at least, by its description.

#include <string>
#include <vector>

#include "cnn-unet/network/network.h"
#include "graph/module/image_type.h"

namespace lacuna {

struct UnetLayerCounts {
  std::string name;
  Extent size;  // of its output
  uint32_t inputs = 0, outputs = 0;
  double operations = 0.0;        // a multiply-add counts as two
  double paddedOperations = 0.0;  // of each source's channels and the outputs in multiples of 16
  double floorBytes = 0.0;        // each source, weight and output once, as halves
  double parameters = 0.0;        // weights and biases
};

// Of a picture extended to a multiple of what the network halves it to.
std::vector<UnetLayerCounts> unetCounts(const unet::Network& network, Extent picture);

}  // namespace lacuna
