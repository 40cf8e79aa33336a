#include <algorithm>

#include "graph/door/errors.h"
#include "graph/door/schedule_graph.h"
#include "graph/door/state.h"
#include "graph/run/tune/tune.h"

namespace lacuna {
namespace {

void throwErrors(const Diagnostics& diagnostics) {
  if (diagnostics.hasErrors()) {
    throw Error(ErrorKind::graph, diagnostics.messages());
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
  options.pick = [&](const Filter& filter, const FilterPlan& choice) {
    FilterPick pick = pickSchedules(filter, choice, wanted);
    pick.seconds = wishes.seconds;
    return pick;
  };
  if (wishes.trying) {
    options.trying = [trying = door::passing(wishes.trying)](
                         const FilterPlan& choice, const std::string& name) { trying(choice.filter, name); };
  }
  return tuneGraph(on.device, graph, door::compileOptions({}, target), options);
}

}  // namespace

size_t forgetMeasurements(const Device& device, const Graph& graph) {
  return door::guarded([&] {
    const door::DeviceState& on = *door::Access::of(device);
    const door::GraphState& state = *door::Access::of(graph);
    const TuningCache cache(on.cacheFolder, on.device.info(), state.modulePath);
    Diagnostics found;
    const NodeGraph filters = filtersOf(state.loaded.graph, {on.device.info().limits, {}}, found);
    return static_cast<size_t>(std::ranges::count_if(filters.nodes, [&](const Node& node) {
      return hasSchedules(filters, node) && cache.forget(filters, node);
    }));
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
