#include "graph/door/tune.h"

#include <algorithm>

#include "graph/door/callbacks.h"
#include "graph/door/errors.h"
#include "graph/door/schedule_graph.h"
#include "graph/door/state.h"
#include "graph/run/tune/schedule_pick.h"

namespace lacuna {
namespace door {

std::vector<FilterTimes> timesOf(const std::vector<FilterTuning>& tunings) {
  std::vector<FilterTimes> filters;
  for (const FilterTuning& tuning : tunings) {
    FilterTimes times{tuning.node, tuning.before, {}, tuning.end.left};
    for (const MeasuredSchedule& each : tuning.end.measured) {
      times.measured.push_back({each.schedule, each.ms});
    }
    filters.push_back(std::move(times));
  }
  return filters;
}

}  // namespace door

namespace {

void throwErrors(const Diagnostics& diagnostics) {
  if (diagnostics.hasErrors()) {
    throw Error(ErrorKind::graph, door::messagesOf(diagnostics));
  }
}

std::vector<FilterTimes> measured(door::DeviceState& on, const door::GraphState& state,
                                  const TuningOptions& wishes) {
  const NodeGraph& graph = state.loaded.graph;
  Diagnostics diagnostics;
  const WantedSchedules wanted = wantedSchedules(wishes.schedules, graph, diagnostics);
  throwErrors(diagnostics);
  const door::ScheduleTarget target = door::targetOf(on.device.info(), on.cacheFolder, state.modulePath);
  door::scheduleGraph(graph, {}, target, diagnostics);
  throwErrors(diagnostics);
  TuneOptions options;
  options.includePath = state.modulePath;
  options.cacheFolder = on.cacheFolder;
  options.frame = state.plan.frames.empty() ? 0 : state.plan.frames.front();
  options.rounds = wishes.runs;
  options.pick = [&](const Filter& filter, const Choice& choice) {
    FilterPick pick = pickSchedules(filter, choice, wanted);
    pick.seconds = wishes.seconds;
    return pick;
  };
  if (wishes.trying) {
    options.trying = [trying = door::passing(wishes.trying)](const Choice& choice, const std::string& name) {
      trying(choice.node, name);
    };
  }
  return door::timesOf(tuneGraph(on.device, graph, door::compileOptions({}, target), options));
}

}  // namespace

size_t forgetMeasurements(const Device& device, const Graph& graph) {
  return door::guarded([&] {
    const door::DeviceState& on = *door::Access::of(device);
    const door::GraphState& state = *door::Access::of(graph);
    const TuningCache cache(on.cacheFolder, on.device.info(), state.modulePath);
    const NodeGraph filters = filtersOf(state.loaded.graph, {modelOf(on.device.info()), {}});
    return static_cast<size_t>(std::count_if(
        filters.nodes.begin(), filters.nodes.end(),
        [&](const Node& node) { return hasSchedules(filters, node) && cache.forget(filters, node); }));
  });
}

void forgetMeasurements(const std::string& cacheFolder) {
  door::guarded([&] { forgetTuning(cacheFolder); });
}

std::vector<FilterTimes> tune(Device& device, const Graph& graph, const TuningOptions& options) {
  return door::guarded(
      [&] { return measured(*door::Access::of(device), *door::Access::of(graph), options); });
}

}  // namespace lacuna
