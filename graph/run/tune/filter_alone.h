#pragma once
// A stencil chain or a kernel taken out of its graph, to be timed alone, on the graph's values in a
// frame.

#include <map>
#include <string>
#include <vector>

#include "graph/run/session.h"

namespace lacuna {

// The filter between a source and a sink in memory that carry all its inputs and outputs, by their names.
NodeGraph filterBetweenMemory(const NodeGraph& graph, const Node& node);

// The part of the graph that makes the filter's inputs, into a sink in memory.
NodeGraph graphBefore(const NodeGraph& graph, const Node& node);

using ValueBytes = std::map<std::string, std::vector<std::byte>>;  // by name

// The values of the sink in memory in a frame.
ValueBytes downloaded(Session& session);
void upload(Session& session, const ValueBytes& values);

}  // namespace lacuna
