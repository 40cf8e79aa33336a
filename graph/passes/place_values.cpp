#include "graph/passes/pass_builder.h"

namespace lacuna {
Table<ValueId, ResourceKind> placeValues(const NodeGraph& graph, const Table<NodeId, bool>& wantsImages,
                                         const DeviceModel& device) {
  Table<ValueId, ResourceKind> storage(graph.values.size(), ResourceKind::buffer);
  for (const ValueId value : graph.values.ids()) {
    const ValueType& type = graph.values[value].type;
    if (!type.isArray() && byteSize(type) > device.maxStorageBufferRange)
      storage[value] = ResourceKind::image;
  }
  for (const NodeId node : graph.nodes.ids()) {
    if (!wantsImages[node])
      continue;
    const auto place = [&](ValueId value) {
      if (value && !graph.values[value].type.isArray())
        storage[value] = ResourceKind::image;
    };
    for (const PartInput& input : ownPart(graph.nodes[node]).inputs)
      place(input.value);
    for (const NamedValue& output : ownPart(graph.nodes[node]).outputs)
      place(output.value);
  }
  // The previous frame's value has the same layout as this frame's, so that they can be exchanged.
  for (const ValueId value : graph.values.ids()) {
    const ValueId now = graph.values[value].feedbackOf;
    if (now && storage[now] == ResourceKind::image)
      storage[value] = ResourceKind::image;
  }
  // SPIR-V shaders can't be changed to use images.
  for (const Node& node : graph.nodes) {
    if (!node.description->isSpirv())
      continue;
    for (const auto* ends : {&node.inputs, &node.outputs}) {
      for (const NamedValue& end : *ends)
        if (end.value)
          storage[end.value] = ResourceKind::buffer;
    }
  }
  return storage;
}

}  // namespace lacuna
