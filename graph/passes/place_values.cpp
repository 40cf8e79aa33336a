#include "graph/passes/place_values.h"

namespace lacuna {
std::vector<ResourceKind> placeValues(const NodeGraph& graph, const std::vector<bool>& wantsImages,
                                      const DeviceModel& device) {
  std::vector<ResourceKind> storage(graph.values.size(), ResourceKind::buffer);
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (!graph.values[v].type.isArray() && byteSize(graph.values[v].type) > device.maxStorageBufferRange) {
      storage[v] = ResourceKind::image;
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!wantsImages[n]) {
      continue;
    }
    const auto place = [&](int value) {
      if (value != noValue && !graph.values[static_cast<size_t>(value)].type.isArray()) {
        storage[static_cast<size_t>(value)] = ResourceKind::image;
      }
    };
    for (const PartInput& input : ownPart(graph.nodes[n]).inputs) {
      place(input.value);
    }
    for (const NamedValue& output : ownPart(graph.nodes[n]).outputs) {
      place(output.value);
    }
  }
  // Last frame's value lies as this frame's does, so that they can change places.
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const Value& value = graph.values[v];
    if (value.feedback && storage[static_cast<size_t>(value.feedbackOf)] == ResourceKind::image) {
      storage[v] = ResourceKind::image;
    }
  }
  // What is SPIR-V already can't be told of images.
  for (const Node& node : graph.nodes) {
    if (!node.description->isSpirv()) {
      continue;
    }
    for (const auto* ends : {&node.inputs, &node.outputs}) {
      for (const NamedValue& end : *ends) {
        if (end.value != noValue) {
          storage[static_cast<size_t>(end.value)] = ResourceKind::buffer;
        }
      }
    }
  }
  return storage;
}

}  // namespace lacuna
