#pragma once
// A stencil chain or a kernel taken out of its graph, to be timed alone: on what the graph gives it in a
// frame.

#include <map>
#include <string>
#include <vector>

#include "graph/run/session.h"

namespace lacuna {

// The filter between a source and a sink in memory that carry all that it reads and writes, by their names.
NodeGraph filterBetweenMemory(const NodeGraph& graph, const Node& node);

// The graph as far as it makes what the filter reads, into a sink in memory.
NodeGraph graphBefore(const NodeGraph& graph, const Node& node);

using ValueBytes = std::map<std::string, std::vector<std::byte>>;  // by name

// What the values of the sink in memory hold in a frame.
ValueBytes downloaded(Session& session);
void upload(Session& session, const ValueBytes& values);

}  // namespace lacuna
