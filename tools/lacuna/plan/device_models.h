#pragma once
// Devices that a graph can be planned and compiled for where they are not at hand: `lacuna plan --model
// NAME`, and the SPIR-V that comes with an installation (tools/cmake/shaders.cmake).

#include <string>
#include <vector>

#include "graph/device_model.h"

namespace lacuna {

struct NamedModel {
  std::string name;
  DeviceModel model;
};

const std::vector<NamedModel>& deviceModels();

}  // namespace lacuna
