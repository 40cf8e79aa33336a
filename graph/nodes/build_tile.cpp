#include "graph/nodes/tiles.h"

#include "graph/lists.h"
#include "graph/nodes/wiring.h"

namespace lacuna {
namespace {

// A graph of the native node alone, with inputs of a tile.
Wiring aloneInTile(const NodeGraph& graph, const NativeNode& native, const Tiles& tiles) {
  Wiring alone;
  alone.graph.modules = graph.modules;
  alone.graph.modules.whole = tiles.whole;
  alone.moduleInputs.resize(graph.modules.modules.size());
  Node node = native.node;
  const auto valueOf = [&](const std::string& name, const ValueType& type) {
    Value value;
    value.name = name;
    value.type = type;
    return alone.graph.values.add(std::move(value));
  };
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i].value) {
      ValueType type = native.inputTypes[i];
      type.extent = type.isArray() ? type.extent : tiles.extent;
      node.inputs[i].value = valueOf(node.inputs[i].name, type);
    }
  }
  for (NamedValue& output : node.outputs)
    output.value = valueOf(output.name, {});
  alone.graph.nodes.push_back(std::move(node));
  return alone;
}

// The graph's node becomes the one that was built for a tile.
void takeOver(const NodeGraph& built, const Node& from, NodeGraph& graph, Node& to) {
  to.description = from.description;
  to.constants = from.constants;
  NodePart& part = to.parts.front();
  part.description = from.description;
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const Value& value = built.values[from.parts.front().outputs[i].value];
    part.outputTypes[i] = value.tile ? value.type : part.outputTypes[i];
    if (part.outputs[i].value && value.tile)
      graph.values[part.outputs[i].value].type = value.type;
  }
  for (size_t i = 0; i < part.inputs.size(); ++i) {
    const ValueId own = from.parts.front().inputs[i].value;
    if (own && built.values[own].constant != nullptr) {
      Value& upload = graph.values[part.inputs[i].value];
      upload.type = built.values[own].type;
      upload.constant = built.values[own].constant;
    }
  }
}

}  // namespace

std::optional<NativeNode> nativeInTiles(const NodeGraph& graph, const Node& node,
                                        const ModuleDescription& built) {
  const bool hasTiles = std::ranges::any_of(built.nodes, [](const NodeDescription& each) {
    return std::ranges::any_of(each.outputs, &NodeOutput::tile);
  });
  if (!hasTiles)
    return std::nullopt;
  NativeNode native{node, {}, graph.modules.modules.next()};
  for (const NamedValue& input : node.inputs)
    native.inputTypes.push_back(input.value ? graph.values[input.value].type : ValueType());
  return native;
}

NodeGraph buildForTile(NodeGraph graph, const Tiles& tiles, Diagnostics& diagnostics) {
  for (const NativeNode& native : graph.natives) {
    Wiring alone = aloneInTile(graph, native, tiles);
    inferTypes(alone, {}, diagnostics);
    if (diagnostics.hasErrors())
      return graph;
    graph.modules.modules[native.built].description = alone.graph.modules.modules.back().description;
    for (const Node& node : alone.graph.nodes)
      if (Node* own = findNamed(graph.nodes, node.name))
        takeOver(alone.graph, node, graph, *own);
  }
  return graph;
}

}  // namespace lacuna
