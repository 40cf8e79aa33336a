// lacuna graph: a graph as a picture.

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "graph/module/words.h"
#include "graph/nodes/node_graph.h"
#include "graph/run/session.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/plan/dot.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

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
    if (producer)
      out += edge(graph.nodes[producer].name, node.name, label, feedback);
  };
  for (const NamedValue& input : node.inputs) {
    if (input.value) {
      const Value& value = graph.values[input.value];
      const bool last = value.feedback && value.feedbackOf;
      from(last ? graph.values[value.feedbackOf].producer : value.producer, print(value.type),
           value.feedback);
    }
  }
  for (const BoundParameter& bound : node.bound)
    from(graph.values[bound.value].producer, bound.parameter, false);
  return out;
}

}  // namespace

std::string dotOfModules(const ModuleGraph& graph) {
  std::string out = dotHead;
  for (const ModuleInstance& module : graph.modules) {
    if (!module.builtFrom.empty())
      continue;
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
  for (const Node& node : graph.nodes)
    out += arrows(graph, node);
  return out + "}\n";
}

namespace {

namespace fs = std::filesystem;

std::string onPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string listed = path == nullptr ? "" : path;
  while (!listed.empty()) {
    const size_t end = std::min(listed.find(':'), listed.size());
    std::string file = (fs::path(listed.substr(0, end)) / program).string();
    if (end > 0 && access(file.c_str(), X_OK) == 0)
      return file;
    listed.erase(0, end + 1);
  }
  return {};
}

// Runs `dot -Tsvg`. Files lie beside the output, which appears by rename.
void writeSvg(const std::string& path, const std::string& text) {
  const std::string program = onPath("dot");
  if (program.empty()) {
    throw FileError(
        fmt::format("{}: SVG is drawn by graphviz' program dot, which is not on PATH; install "
                    "graphviz, or write a .dot file",
                    path));
  }
  PartFile picture(path);
  PartFile source(path + ".dot");
  writeTextFile(source.name(), text);
  std::string words[] = {program, "-Tsvg", "-o", picture.name(), source.name()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(),
                       words[3].data(), words[4].data(), nullptr};
  pid_t child = 0;
  int status = 0;
  const int failed = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ);
  if (failed != 0 || waitpid(child, &status, 0) != child || status != 0) {
    throw FileError(fmt::format("{}: {} -Tsvg failed{}", path, program,
                                failed != 0 ? std::string(": ") + std::strerror(failed) : ""));
  }
  picture.place();
}

}  // namespace

namespace {

using Json = nlohmann::ordered_json;

std::string wordsOf(const ParameterValues& values) {
  std::string words;
  for (const ParameterValue& value : values)
    words += (words.empty() ? "" : " ") + textOf(value);
  return words;
}

Json parametersOf(const ModuleInstance& module) {
  Json parameters = Json::array();
  for (const ParameterDescription& shown : shownParameters(*module.description)) {
    const Parameter& parameter = module.parameter(shown.name);
    parameters.push_back({{"name", shown.name},
                          {"value", wordsOf(parameter.values)},
                          {"isSet", parameter.isSet},
                          {"isAnimated", !parameter.keyframes.empty()}});
  }
  return parameters;
}

Json nodesOf(const NodeGraph& graph) {
  Json nodes = Json::array();
  for (const Node& node : graph.nodes) {
    Json parts = Json::array();
    for (const NodePart& part : node.parts)
      if (part.name != node.name)
        parts.push_back(part.name);
    nodes.push_back({{"name", node.name},
                     {"kind", wordOf(nodeKindWords(), node.kind)},
                     {"levels", node.levels},
                     {"fused", parts}});
  }
  return nodes;
}

// Where each value lies in the device's memory, and from which pass to which.
Json memoryOf(const FrameGraph& frame) {
  Json memory = Json::array();
  for (const ResourceId id : frame.resources.ids()) {
    const Resource& resource = frame.resources[id];
    const Lifetime& life = frame.lifetimes[id];
    const Placement& place = frame.placements[id];
    if (!life.first)
      continue;
    memory.push_back({{"name", resource.name},
                      {"bytes", place.bytes},
                      {"offset", place.offset},
                      {"arena", place.arena},
                      {"first", resource.persistent ? 0 : life.first.index()},
                      {"last", resource.persistent ? frame.passes.size() - 1 : life.last.index()},
                      {"isKept", resource.persistent}});
  }
  return memory;
}

}  // namespace

// Modules as the graph file has them; what native code built belongs to the module that did it.
Json modulesJson(const ModuleGraph& graph, const std::vector<std::string>& folders) {
  Json modules = Json::array();
  for (const ModuleInstance& module : graph.modules) {
    if (!module.builtFrom.empty())
      continue;
    Json inputs = Json::array();
    for (const auto& [input, from] : module.inputs)
      inputs.push_back({{"connector", input},
                        {"from", graph.modules[from.producer].name()},
                        {"output", from.connector},
                        {"isFeedback", from.feedback}});
    modules.push_back({{"name", module.name()},
                       {"about", Json::parse(describeModule(module.description->name, folders).json)},
                       {"parameters", parametersOf(module)},
                       {"inputs", inputs}});
  }
  return modules;
}

Json drawnJson(const Graph& graph, Pipeline& pipeline, const std::vector<std::string>& folders) {
  const FrameGraph& frame = door::Access::of(pipeline).session->schedule();
  return {{"modules", modulesJson(door::Access::of(graph)->loaded.graph.modules, folders)},
          {"nodes", nodesOf(frame.graph)},
          {"memory", memoryOf(frame)}};
}

int runDraw(const DrawArguments& given) {
  DrawArguments arguments = given;
  if (standardOutputName(given.output) == standardStream)
    arguments.output.clear();
  const std::string ending = fs::path(arguments.output).extension().string();
  if (!arguments.output.empty() && ending != ".svg" && ending != ".dot" && ending != ".gv") {
    printError(fmt::format("-o {}: expected a file name that ends in .dot, .gv or .svg", arguments.output));
    return exitUsage;
  }
  if (const auto reason = arguments.output.empty() ? std::nullopt : unwritable(arguments.output)) {
    printError(fmt::format("-o {}", *reason));
    return exitUsage;
  }
  const LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  if (!loaded.ok())
    return exitUsage;
  const std::string dot = arguments.nodes ? dotOfNodes(loaded.graph) : dotOfModules(loaded.graph.modules);
  if (arguments.output.empty())
    fmt::print("{}", dot);
  else if (ending == ".svg")
    writeSvg(arguments.output, dot);
  else
    writeTextFile(arguments.output, dot);
  return exitOk;
}

}  // namespace lacuna
