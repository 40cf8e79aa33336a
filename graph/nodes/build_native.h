#pragma once
// The nodes that replace a native node: its module's build() called, and read.

#include <optional>

#include "graph/files/held_files.h"
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
  std::optional<NodeByOrigin> byOrigin;
};

// Needs: a type for each connected input of the node. nullopt if there was an error, which was reported.
std::optional<Built> buildNative(const NodeGraph& graph, const Node& node, Diagnostics& diagnostics);

// What build() makes of another frame's file, as NodeByOrigin::made. "" if it fails, which is reported.
std::string madeFor(const ModuleGraph& graph, const NodeByOrigin& node, int frame, HeldFiles& held,
                    Diagnostics& diagnostics);

}  // namespace lacuna
