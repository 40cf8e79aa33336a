#include "graph/device_model.h"
#include "graph/nodes/rewrites.h"

namespace lacuna {
namespace {

// The host node that takes the place of `node` and the outputs of both.
void takePlace(NodeGraph& graph, const Node& node, const Node& host) {
  Table<ValueId, ValueId> instead(graph.values.size());
  for (const NamedValue& output : node.outputs)
    instead[output.value] = valueNamed(host.outputs, output.name);
  const auto change = [&](ValueId& value) { value = value && instead[value] ? instead[value] : value; };
  for (Value& value : graph.values)
    change(value.feedbackOf);
  for (Node& reader : graph.nodes)
    if (&reader != &node)
      forEachValue(reader, change);
}

}  // namespace

NodeGraph chooseHosts(NodeGraph graph, const DeviceModel& device) {
  for (const Node& host : graph.nodes) {
    const std::string& replaced = host.description->replaces;
    for (const Node& node : graph.nodes)
      if (device.cpu && !replaced.empty() && node.module == host.module && node.description->name == replaced)
        takePlace(graph, node, host);
  }
  return graph;
}

}  // namespace lacuna
