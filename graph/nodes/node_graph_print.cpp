#include <fmt/format.h>

#include "graph/module/words.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {
namespace {

// "state <- i-png:01:decode.output"
std::string inputText(const NodeGraph& graph, const NamedValue& input) {
  return fmt::format("{} <- {}", input.name, input.value ? graph.values[input.value].name : "nothing");
}

std::string partText(const NodeGraph& graph, const NodePart& part, size_t index) {
  std::string text = fmt::format("    part {} {}:{}", index, graph.modules.modules[part.module].name(),
                                 part.description->name);
  for (const PartInput& input : part.inputs)
    text += input.part >= 0 ? fmt::format(", {} <- part {}.{}", input.name, input.part, input.output)
                            : ", " + inputText(graph, {input.name, input.value});
  for (size_t i = 0; i < part.outputs.size(); ++i)
    text += fmt::format(", {}: {}", part.outputs[i].name, print(part.outputTypes[i]));
  return text + "\n";
}

std::string nodeText(const NodeGraph& graph, const Node& node) {
  std::string text = fmt::format("{} {}", node.name, wordOf(nodeKindWords(), node.kind));
  if (node.kind == NodeKind::stencil) {
    const ValueType state = stateTypeOf(graph, node);
    text += fmt::format(" levels {} radius {} state {} {}", node.levels, node.radius, name(state.channels),
                        name(state.format));
  }
  for (const NamedValue& input : node.inputs)
    text += ", " + inputText(graph, input);
  for (const BoundParameter& bound : node.bound)
    text += fmt::format(", {} = {}", bound.parameter, graph.values[bound.value].name);
  for (const NamedValue& output : node.outputs)
    text += fmt::format(", {}: {}", output.name, print(graph.values[output.value].type));
  return text + "\n";
}

}  // namespace

std::string print(const NodeGraph& graph) {
  std::string text;
  for (const Node& node : graph.nodes) {
    text += nodeText(graph, node);
    for (size_t i = 0; i < node.parts.size() && node.parts.size() > 1; ++i)
      text += partText(graph, node.parts[i], i);
  }
  for (const Value& value : graph.values)
    if (value.feedback && value.feedbackOf)
      text += fmt::format("{} = {} of the previous frame: {}\n", value.name,
                          graph.values[value.feedbackOf].name, print(value.type));
  return text;
}

}  // namespace lacuna
