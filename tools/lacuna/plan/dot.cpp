#include "tools/lacuna/plan/dot.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/module/words.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {
namespace {

constexpr const char* dotHead =
    "digraph lacuna {\n"
    "  rankdir=LR\n"
    "  node [shape=box style=rounded fontname=\"sans-serif\"]\n"
    "  edge [fontname=\"sans-serif\" fontsize=10]\n";

bool isFile(const ModuleInstance& module) {
  return std::any_of(
      module.description->nodes.begin(), module.description->nodes.end(),
      [](const auto& node) { return node.kind == NodeKind::source || node.kind == NodeKind::sink; });
}

std::string edge(const std::string& from, const std::string& to, const std::string& label, bool feedback) {
  return fmt::format("  {} -> {} [label={}{}]\n", quote(from), quote(to), quote(label),
                     feedback ? " style=dashed constraint=false" : "");
}

std::string connectors(const std::string& from, const std::string& to) {
  return from == "output" && to == "input" ? "" : from + " > " + to;
}

// The nodes of a module; "" if no sink needs one.
std::string frame(const NodeGraph& graph, ModuleId module) {
  std::string out;
  for (const Node& node : graph.nodes) {
    if (node.module == module) {
      const std::string owner = graph.modules.modules[module].name();
      const std::string levels = node.levels > 1 ? fmt::format(", {} levels", node.levels) : "";
      // A line break in dot's notation, which quote() must not escape.
      out += fmt::format("    {} [label=\"{}\\n{}{}\"]\n", quote(node.name),
                         node.name.substr(owner.size() + 1), wordOf(nodeKindWords(), node.kind), levels);
    }
  }
  return out;
}

// The edges from the nodes that make a node's inputs.
std::string arrows(const NodeGraph& graph, const Node& node) {
  std::string out;
  const auto from = [&](NodeId producer, const std::string& label, bool feedback) {
    if (producer) {
      out += edge(graph.nodes[producer].name, node.name, label, feedback);
    }
  };
  for (const NamedValue& input : node.inputs) {
    if (input.value) {
      const Value& value = graph.values[input.value];
      const bool last = value.feedback && value.feedbackOf;
      from(last ? graph.values[value.feedbackOf].producer : value.producer, print(value.type),
           value.feedback);
    }
  }
  for (const BoundParameter& bound : node.bound) {
    from(graph.values[bound.value].producer, bound.parameter, false);
  }
  return out;
}

}  // namespace

std::string dotOfModules(const ModuleGraph& graph) {
  std::string out = dotHead;
  for (const ModuleInstance& module : graph.modules) {
    if (!module.builtFrom.empty()) {
      continue;
    }
    out += fmt::format("  {}{}\n", quote(module.name()), isFile(module) ? " [style=filled]" : "");
  }
  for (const ModuleInstance& module : graph.modules) {
    for (const auto& [input, from] : module.inputs) {
      const ModuleInstance& producer = graph.modules[from.producer];
      out += edge(producer.name(), module.name(), connectors(from.connector, input), from.feedback);
    }
  }
  return out + "}\n";
}

std::string dotOfNodes(const NodeGraph& graph) {
  std::string out = dotHead;
  for (const ModuleId module : graph.modules.modules.ids()) {
    const std::string nodes = frame(graph, module);
    out += nodes.empty() ? ""
                         : fmt::format("  subgraph {} {{\n    label={}\n    color=grey\n{}  }}\n",
                                       quote(fmt::format("cluster{}", module.index())),
                                       quote(graph.modules.modules[module].name()), nodes);
  }
  for (const Node& node : graph.nodes) {
    out += arrows(graph, node);
  }
  return out + "}\n";
}

}  // namespace lacuna
