#pragma once
// The least cost of a U-Net's convolutions, by its description.

#include <string>
#include <vector>

#include "cnn-unet/network/network.h"
#include "graph/values/image_type.h"
#include "tools/timing/result_table.h"

namespace lacuna {

struct UnetLayerCounts {
  std::string name;
  Extent size;  // of its output
  uint32_t inputs = 0, outputs = 0;
  double operations = 0.0;        // a multiply-add counts as two
  double paddedOperations = 0.0;  // with each source's channels and the outputs padded to multiples of 16
  double floorBytes = 0.0;        // each source, weight and output once, as halves
  double parameters = 0.0;        // weights and biases
};

Json toJson(const UnetLayerCounts& layer);

// Whether these are the convolutions of the study's tables, so that figures can be compared.
bool isStudyNetwork(const std::vector<UnetLayerCounts>& layers);

// The counts for a picture that is extended to a multiple of the network's total halving.
std::vector<UnetLayerCounts> unetCounts(const unet::Network& network, Extent picture);

}  // namespace lacuna
