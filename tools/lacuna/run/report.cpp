#include "tools/lacuna/run/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/door/state.h"
#include "graph/module/words.h"
#include "graph/run/bandwidth.h"
#include "graph/run/session.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/run/connector_values.h"

namespace lacuna {
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
  for (const Parameter& parameter : module.parameters)
    parameters.push_back({{"name", parameter.description->name},
                          {"value", wordsOf(parameter.values)},
                          {"isSet", parameter.isSet},
                          {"isAnimated", !parameter.keyframes.empty()}});
  return parameters;
}

// Modules as the graph file has them; what native code built belongs to the module that did it.
Json modulesOf(const ModuleGraph& graph, const std::vector<std::string>& folders) {
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

Json choicesOf(const PlanReport& plan) {
  Json choices = Json::array();
  for (const FilterChoice& filter : plan.filters)
    choices.push_back({{"node", filter.filter}, {"schedule", filter.schedule}, {"reason", filter.reason}});
  return choices;
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

void writeReport(const RunArguments& arguments, Device& device, const Graph& graph, Pipeline& pipeline,
                 const FrameTimes& times) {
  const door::GraphState& state = *door::Access::of(graph);
  const FrameGraph& frame = door::Access::of(pipeline).session->schedule();
  const double bandwidth = copyBandwidth(door::Access::of(device)->device);
  const ConnectorValues values = connectorValues(arguments, device, graph);
  Json messages = Json::array();
  for (const std::vector<Message>& some : {graph.warnings(), pipeline.warnings()})
    for (const Message& message : some)
      messages.push_back(message.text);
  const Json about = {
      {"graph", arguments.graph.graph},
      {"device", device.description().name},
      {"driver", device.description().driver},
      {"version", version()},
      {"frames", times.size()},
      {"firstFrame", graph.frames().front()},
      {"bandwidth", bandwidth},
      {"modules", modulesOf(state.loaded.graph.modules, arguments.graph.modules)},
      {"nodes", nodesOf(frame.graph)},
      {"passes", timeTable(pipeline.plan().passes, times, bandwidth).rows},
      {"choices", choicesOf(pipeline.plan())},
      {"memory", memoryOf(frame)},
      {"tiles", pipeline.plan().tiles ? pipeline.plan().tiles->columns * pipeline.plan().tiles->rows : 1},
      {"values", values.connectors},
      {"withoutValues", values.reason},
      {"messages", messages}};
  PageWriter page(arguments.report, reportPage);
  page.end(about);
}

}  // namespace lacuna
