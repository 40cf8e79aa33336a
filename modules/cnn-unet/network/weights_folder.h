#pragma once
// The weights files of a folder, and their planes.

#include <string>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

struct WeightsFile {
  std::string path;
  std::vector<Plane> planes;  // as sortedPlanes(); if none, `mistake` says why
  std::string mistake;
};

// All .safetensors files, by name. Only the header of each is read.
std::vector<WeightsFile> weightsIn(const std::string& folder);

// In the order of connectors. Planes of earlier frames are `warped`, for the connector `motion`.
std::vector<Plane> sortedPlanes(const Network& network);

}  // namespace lacuna::unet
