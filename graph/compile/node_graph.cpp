#include "graph/compile/node_graph.h"

#include "graph/compile/expand.h"
#include "graph/compile/infer.h"

namespace lacuna {
namespace {

// A part of a fused node must know what its outputs round through, also once they are no values any more.
void noteOutputTypes(NodeGraph& graph) {
  for (Node& node : graph.nodes) {
    for (NodePart& part : node.parts) {
      for (const NamedValue& output : part.outputs)
        part.outputTypes.push_back(graph.values[output.value].type);
    }
  }
}

}  // namespace

int valueNamed(const std::vector<NamedValue>& list, std::string_view name) {
  for (const NamedValue& each : list)
    if (each.name == name)
      return each.value;
  return noValue;
}

NodeGraph buildNodeGraph(ModuleGraph graph, const ProbeSource& probe, Diagnostics& diagnostics) {
  Wiring wiring = expandModules(std::move(graph), diagnostics);
  const std::vector<bool> typed = inferTypes(wiring, probe, diagnostics);
  checkTypes(wiring, typed, diagnostics);
  noteOutputTypes(wiring.graph);
  return std::move(wiring.graph);
}

}  // namespace lacuna
