#include "graph/nodes/node_graph.h"

#include <algorithm>

#include "graph/lists.h"
#include "graph/nodes/wiring.h"

namespace lacuna {
namespace {

// A part of a fused node must know the formats of its outputs, even if they are no longer values.
void noteOutputTypes(NodeGraph& graph) {
  for (Node& node : graph.nodes) {
    for (NodePart& part : node.parts)
      for (const NamedValue& output : part.outputs)
        part.outputTypes.push_back(graph.values[output.value].type);
  }
}

}  // namespace

ValueId valueNamed(const std::vector<NamedValue>& list, std::string_view name) {
  const NamedValue* found = findNamed(list, name);
  return found == nullptr ? ValueId() : found->value;
}

const ModuleInstance& instanceOf(const NodeGraph& graph, const Node& node) {
  return graph.modules.modules[node.module];
}

void addOwnPart(Node& node) {
  NodePart part;
  part.name = node.name;
  part.module = node.module;
  part.description = node.description;
  for (const NamedValue& input : node.inputs)
    part.inputs.push_back({input.name, input.value, -1, {}});
  part.outputs = node.outputs;
  node.parts.push_back(std::move(part));
}

const NodePart& ownPart(const Node& node) {
  return node.parts[node.own];
}

const PartInput* inputNamed(const NodePart& part, std::string_view name) {
  return findNamed(part.inputs, name);
}

ValueId inputValue(const Node& node, std::string_view name) {
  const PartInput* input = inputNamed(ownPart(node), name);
  return input == nullptr ? ValueId{} : input->value;
}

void forEachValue(Node& node, const std::function<void(ValueId& value)>& change) {
  for (NamedValue& input : node.inputs)
    change(input.value);
  for (NamedValue& output : node.outputs)
    change(output.value);
  for (BoundParameter& bound : node.bound)
    change(bound.value);
  for (NodePart& part : node.parts) {
    for (PartInput& input : part.inputs)
      change(input.value);
    for (NamedValue& output : part.outputs)
      change(output.value);
  }
}

void arrangeNodes(NodeGraph& graph, const std::vector<NodeId>& order) {
  Table<NodeId, Node> nodes;
  Table<NodeId, NodeId> newId(graph.nodes.size());
  for (const NodeId old : order)
    newId[old] = nodes.add(std::move(graph.nodes[old]));
  for (Value& value : graph.values)
    value.producer = value.producer ? newId[value.producer] : NodeId{};
  graph.nodes = std::move(nodes);
}

bool takesPlanes(const ModuleDescription& module, const NodeDescription& node, std::string_view input) {
  return std::ranges::any_of(
      node.inputs, [&](const NodeInput& each) { return each.name == input && module.isPlanes(each.source); });
}

ValueType typeAtKernel(const NodeGraph& graph, const Node& kernel, const NamedValue& input) {
  ValueType type = graph.values[input.value].type;
  if (type.isPlanes() &&
      !takesPlanes(*instanceOf(graph, kernel).description, *kernel.description, input.name))
    type.extent = {};
  return type;
}

std::optional<ValueType> typeOf(const NodeGraph& graph, const Node& node, const PartInput& input) {
  if (input.value)
    return statesOutputs(node.kind) ? typeAtKernel(graph, node, {input.name, input.value})
                                    : graph.values[input.value].type;
  if (input.part < 0)
    return std::nullopt;
  const NodePart& producer = node.parts[input.part];
  for (size_t i = 0; i < producer.outputs.size(); ++i)
    if (producer.outputs[i].name == input.output)
      return producer.outputTypes[i];
  return std::nullopt;
}

ValueType stateInputType(const NodeGraph& graph, const Node& stencil) {
  ValueType type = *typeOf(graph, stencil, *inputNamed(ownPart(stencil), "state"));
  type.extent = ownPart(stencil).outputTypes.front().extent;
  return type;
}

std::vector<Support> windowsOf(const Node& stencil) {
  const Support support = stencil.description->stencil.support;
  return support == Support::separable ? std::vector{Support::row, Support::column} : std::vector{support};
}

ValueType stateTypeOf(const Node& stencil, const ValueType& input) {
  ValueType type = input;
  type.channels = stencil.description->stencil.state.channels.value_or(input.channels);
  type.format = stencil.stateFormat.value_or(input.format);
  type.pattern = type.channels == Channels::mosaic ? input.pattern : MosaicPattern{};
  return type;
}

bool inputIsState(const ValueType& input, const ValueType& state) {
  const bool isHeld =
      input.format == state.format || (state.format == Format::f32 && input.format != Format::u32);
  return isHeld && componentCount(input.channels) == componentCount(state.channels);
}

int tappedLevel(const Node& node) {
  const StencilDescription& stencil = node.description->stencil;
  const bool wanted = stencil.tapLevel && valueNamed(ownPart(node).outputs, stencil.tapOutput);
  return wanted ? std::min(*stencil.tapLevel, node.levels - 1) : -1;
}

NodeGraph buildNodeGraph(Sources sources, Diagnostics& diagnostics) {
  Wiring wiring = expandModules(std::move(sources.modules), diagnostics);
  const Table<ValueId, bool> typed = inferTypes(wiring, sources.types, diagnostics);
  checkTypes(wiring, typed, diagnostics);
  noteOutputTypes(wiring.graph);
  return std::move(wiring.graph);
}

}  // namespace lacuna
