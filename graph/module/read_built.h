#pragma once
// The nodes that native code built, as a module of their own.

#include <memory>

#include "graph/config/diagnostics.h"
#include "graph/module/description.h"

namespace lacuna {

struct BuiltNodes {
  std::string name;  // for messages: "net:01:layers"
  std::string toml;  // [[node]] tables
  std::map<std::string, std::string> shaders;
  std::vector<ConnectorDescription> inputs, outputs;  // the native node's; inputs with its uploads
};

// A module with the name, folder and parameters of `owner`, whose input connectors are the native node's
// inputs and uploads, and whose output connectors are its outputs. Reports mistakes in the nodes, as for a
// module.toml, and outputs that differ from the native node's; nullptr then.
std::shared_ptr<const ModuleDescription> readBuilt(const ModuleDescription& owner, const BuiltNodes& built,
                                                   Diagnostics& diagnostics);

}  // namespace lacuna
