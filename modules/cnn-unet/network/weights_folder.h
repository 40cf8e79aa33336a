#pragma once
// The weights files of a folder, and what they are for.

#include <string>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

struct WeightsFile {
  std::string path;
  std::vector<Plane> planes;  // as sortedPlanes(); none: `mistake` says why
  std::string mistake;
};

// All .safetensors files, by name. Of each the header alone is read.
std::vector<WeightsFile> weightsIn(const std::string& folder);

std::vector<Plane> sortedPlanes(const Network& network);  // in the order of connectors

}  // namespace lacuna::unet
