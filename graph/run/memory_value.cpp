#include "graph/run/memory_value.h"

namespace lacuna {

const Value* memoryValue(const Schedule& schedule, const std::string& instance) {
  const NodeGraph& graph = schedule.graph;
  for (const Node& node : graph.nodes) {
    const bool isSource = node.kind == NodeKind::source;
    const auto& ends = isSource ? node.outputs : node.inputs;
    if ((isSource || node.kind == NodeKind::sink) && !ends.empty() && ends.front().value != noValue &&
        graph.modules.modules[static_cast<size_t>(node.module)].name() == instance) {
      return &graph.values[static_cast<size_t>(ends.front().value)];
    }
  }
  return nullptr;
}

}  // namespace lacuna
