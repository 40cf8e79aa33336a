#pragma once
// The nodes that replace a native node: its module's build() called, and read.

#include <optional>

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct Upload {
  std::string name;
  ValueType type;
  std::shared_ptr<const std::vector<std::byte>> data;
};

struct Built {
  ModuleInstance module;  // of the nodes; its input connectors are the native node's inputs and "upload.NAME"
  std::vector<Upload> uploads;
};

// Needs: a type for each connected input of the node. nullopt if there was an error, which was reported.
std::optional<Built> buildNative(const NodeGraph& graph, const Node& node, Diagnostics& diagnostics);

}  // namespace lacuna
