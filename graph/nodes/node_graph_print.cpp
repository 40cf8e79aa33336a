#include "graph/nodes/node_graph.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/module/words.h"

namespace lacuna {
namespace {

std::string print(const ParameterValues& values) {
  std::string out;
  for (const ParameterValue& value : values) {
    out += out.empty() ? "" : " ";
    if (const auto* text = std::get_if<std::string>(&value))
      out += quote(*text);
    else if (const auto* integer = std::get_if<int64_t>(&value))
      out += fmt::format("{}", *integer);
    else if (const auto* boolean = std::get_if<bool>(&value))
      out += *boolean ? "true" : "false";
    else
      out += fmt::format("{}", std::get<double>(value));
  }
  return out;
}

}  // namespace

std::string print(const ModuleGraph& graph) {
  std::string out = fmt::format("frames {}, {} a second{}\n", graph.frames, graph.framesPerSecond,
                                graph.writesLast ? ", the last one is written" : "");
  out += graph.firstNumber == 0 ? "" : fmt::format("frame 0 is number {}\n", graph.firstNumber);
  for (const ModuleInstance& module : graph.modules) {
    if (!module.builtFrom.empty())
      continue;
    out += module.name() + "\n" + (module.native == nullptr ? "" : "  with native code\n");
    if (!module.there.empty()) {
      out += fmt::format("  has files of {} frames, {} to {}\n", module.there.size(), module.there.front(),
                         module.there.back());
    }
    for (const auto& [name, connection] : module.inputs) {
      const ModuleInstance& producer = graph.modules[connection.producer];
      out += fmt::format("  {} <- {}:{}{}\n", name, producer.name(), connection.connector,
                         connection.feedback ? " (last frame)" : "");
    }
    for (const Parameter& parameter : module.parameters) {
      const bool isDefault = parameter.where.file < 0;
      out += fmt::format("  {} = {}{}\n", parameter.description->name, print(parameter.values),
                         isDefault ? " (default)" : "");
      for (const Keyframe& key : parameter.keyframes) {
        out += fmt::format("    frame {}: {}{}\n", key.frame, print(key.values),
                           key.linear ? ", linear" : ", step");
      }
    }
  }
  return out;
}

std::string print(const Sources& sources) {
  std::string out = print(sources.modules);
  if (sources.frames && !sources.frames->empty()) {
    out += fmt::format("run: {} frames, {} to {}; files of frame {} are read first\n", sources.frames->size(),
                       sources.frames->front(), sources.frames->back(), sources.modules.firstFrame);
  }
  for (const auto& [source, types] : sources.types)
    for (const auto& [output, type] : types)
      out += fmt::format("{} delivers {} {}\n", sources.modules.modules[source].name(), output, print(type));
  return out;
}

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
