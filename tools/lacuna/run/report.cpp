#include "tools/lacuna/run/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/lacuna/page/page.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/lacuna/run/connector_values.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json choicesOf(const PlanReport& plan) {
  Json choices = Json::array();
  for (const FilterChoice& filter : plan.filters)
    choices.push_back({{"node", filter.filter}, {"schedule", filter.schedule}, {"reason", filter.reason}});
  return choices;
}

}  // namespace

void writeReport(const RunArguments& arguments, Device& device, const Graph& graph, Pipeline& pipeline,
                 const FrameTimes& times) {
  const double bandwidth = bandwidthOf(device);
  const ConnectorValues values = connectorValues(arguments, device, graph);
  Json messages = Json::array();
  for (const std::vector<Message>& some : {graph.warnings(), pipeline.warnings()})
    for (const Message& message : some)
      messages.push_back(message.text);
  Json about = {
      {"graph", arguments.graph.graph},
      {"device", device.description().name},
      {"driver", device.description().driver},
      {"version", version()},
      {"frames", times.size()},
      {"firstFrame", graph.frames().front()},
      {"bandwidth", bandwidth},
      {"passes", timeTable(pipeline.plan().passes, times, bandwidth).rows},
      {"choices", choicesOf(pipeline.plan())},
      {"tiles", pipeline.plan().tiles ? pipeline.plan().tiles->columns * pipeline.plan().tiles->rows : 1},
      {"values", values.connectors},
      {"withoutValues", values.reason},
      {"messages", messages}};
  about.update(drawnJson(graph, pipeline, arguments.graph.modules));
  PageWriter page(arguments.report, reportPage);
  page.end(about);
}

}  // namespace lacuna
