#pragma once
// The least cost of a U-Net's convolutions, by its description.

#include "cnn-unet/network/network.h"
#include "graph/values/image_type.h"
#include "tools/timing/result_table.h"

namespace lacuna {

// For a picture that is extended to a multiple of the network's total halving. A row for each layer: "name";
// "width", "height" of its output; "inputs", "outputs"; "parameters": weights and biases; "operations": a
// multiply-add counts as two; "paddedOperations": with each source's channels and the outputs padded to
// multiples of 16; "floorBytes": each source, weight and output once, as halves.
Json unetCounts(const unet::Network& network, Extent picture);

// Whether these are the convolutions of the study's tables, of pictures of any size.
bool isStudyNetwork(const Json& layers);

}  // namespace lacuna
