#include "graph/nodes/not_finite_counter.h"

#include <algorithm>

namespace lacuna {
namespace {

bool isWrittenToFile(const NodeGraph& graph, ValueId value) {
  return std::ranges::any_of(graph.nodes, [&](const Node& node) {
    return node.kind == NodeKind::sink && !node.description->memory &&
           std::ranges::any_of(node.inputs, [&](const NamedValue& input) { return input.value == value; });
  });
}

bool mayHoldNotFinite(const ValueType& type) {
  return !type.isArray() && (type.format == Format::f16 || type.format == Format::f32) &&
         type.channels != Channels::depth && type.channels != Channels::mv;
}

bool holdsWholeNumbers(const ValueType& type) {
  return !type.isArray() && (type.format == Format::u8 || type.format == Format::u16);
}

}  // namespace

std::vector<const PartInput*> countedInputs(const NodeGraph& graph, const Node& node, const NodePart& part) {
  std::vector<const PartInput*> counted;
  for (const PartInput& input : part.inputs) {
    const std::optional<ValueType> type = typeOf(graph, node, input);
    if (type && mayHoldNotFinite(*type))
      counted.push_back(&input);
  }
  return counted;
}

ValueId countedOutput(const NodeGraph& graph, const Node& node, const NodePart& part) {
  if (part.description->kind != NodeKind::pointwise || countedInputs(graph, node, part).empty())
    return {};
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const ValueId value = part.outputs[i].value;
    if (value && holdsWholeNumbers(part.outputTypes[i]) && isWrittenToFile(graph, value))
      return value;
  }
  return {};
}

uint32_t counterCount(const NodeGraph& graph, const Node& node) {
  return static_cast<uint32_t>(std::ranges::count_if(
      node.parts, [&](const NodePart& part) { return bool(countedOutput(graph, node, part)); }));
}

}  // namespace lacuna
