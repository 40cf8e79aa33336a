#include "graph/nodes/origin.h"

#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

const ModuleConnection* connectionAt(const ModuleInstance& module, const std::string& connector) {
  const auto found = module.inputs.find(connector);
  return found == module.inputs.end() || found->second.feedback ? nullptr : &found->second;
}

const ModuleConnection* mainConnection(const ModuleInstance& module) {
  if (const ModuleConnection* input = connectionAt(module, "input")) {
    return input;
  }
  for (const ConnectorDescription& connector : module.description->connectors) {
    if (const ModuleConnection* first = connectionAt(module, connector.name)) {
      return first;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Origin> originOf(const ModuleGraph& graph, const ModuleInstance& module) {
  const ModuleInstance* at = &module;
  // A graph with a cycle is wrong, but may come here: so the steps are counted.
  for (size_t step = 0; step < graph.modules.size(); ++step) {
    const ModuleConnection* connection = mainConnection(*at);
    if (connection == nullptr) {
      break;
    }
    at = &graph.modules[connection->producer];
    if (at->description->isSource()) {
      return filePattern(*at).empty() ? std::nullopt : std::optional(Origin{at, connection->connector});
    }
  }
  return std::nullopt;
}

}  // namespace lacuna
