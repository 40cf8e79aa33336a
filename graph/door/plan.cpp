#include <fmt/format.h>

#include <algorithm>

#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/frame/stages.h"
#include "graph/nodes/reach.h"
#include "graph/nodes/warm_up.h"
#include "graph/run/tune/tune.h"

namespace lacuna {
namespace {

PlanReport planned(const door::GraphState& graph, const PipelineOptions& options,
                   const door::ScheduleTarget& target) {
  Diagnostics diagnostics = graph.loaded.diagnostics;
  const auto frame = door::frameOf(graph.loaded.graph, options, target, diagnostics);
  if (!frame)
    throw Error(ErrorKind::graph, diagnostics.messages());
  return door::planOf(*frame, graph.loaded.graph);
}

}  // namespace

namespace door {

std::vector<PassReport> passReports(const Passes& passes) {
  std::vector<PassReport> plans;
  for (const Pass& pass : passes.passes) {
    plans.push_back({pass.name, pass.groups, pass.bytesRead, pass.bytesWritten, pass.sharedBytes,
                     pass.kind == PassKind::upload || pass.kind == PassKind::download});
  }
  return plans;
}

PlanReport planOf(const FrameGraph& schedule, const NodeGraph& built) {
  PlanReport plan;
  plan.filters = schedule.choices;
  plan.passes = passReports(schedule);
  if (const std::optional<Tiles>& tiles = schedule.tiles) {
    plan.tiles = {tiles->columns().size(), tiles->rows().size(), tiles->extent.width,
                  tiles->extent.height,    tiles->halo,          tiles->work()};
  }
  plan.memoryBytes = schedule.arenaBytes;
  plan.unaliasedBytes = schedule.unaliasedBytes;
  plan.liveBytes = schedule.largestLiveBytes;
  if (schedule.largestLivePass)
    plan.livePass = schedule.passes[schedule.largestLivePass].name;
  for (const ResourceId resource : liveAt(schedule, schedule.largestLivePass))
    plan.liveTogether.push_back(schedule.resources[resource].name);
  plan.barriers = schedule.barriers.size();
  const WarmUp warmUp = warmUpOf(built);
  plan.warmUpFrames = warmUp.frames.value_or(-1);
  plan.warmUpReason = warmUp.reason;
  const Reach reach = reachOf(built);
  plan.reachPixels = reach.pixels.value_or(-1.0);
  plan.reachReason = reach.reason;
  return plan;
}

}  // namespace door

PlanReport plan(const Graph& graph, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    return planned(state, options, {{}, std::nullopt, state.modulePath});
  });
}

PlanReport plan(const Graph& graph, const Device& device, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    return planned(state, options, door::targetOn(door::Access::of(device), state.modulePath));
  });
}

namespace {

void throwErrors(const Diagnostics& diagnostics) {
  if (diagnostics.hasErrors())
    throw Error(ErrorKind::graph, diagnostics.messages());
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
  options.pick = [&](const Filter& filter, const FilterChoice& choice) {
    FilterPick pick = pickSchedules(filter, choice, wanted);
    pick.seconds = wishes.seconds;
    return pick;
  };
  if (wishes.trying) {
    options.trying = [trying = door::passing(wishes.trying)](const FilterChoice& choice,
                                                             const std::string& name) {
      trying(choice.filter, name);
    };
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

std::string exportMeasurements(const Device& device) {
  return door::guarded([&] {
    const door::DeviceState& on = *door::Access::of(device);
    TunedDevice tuned = TuningCache(on.cacheFolder, on.device.info(), {}).measured();
    if (tuned.filters.empty())
      door::refuse("nothing was measured here on {}, driver {}; `lacuna tune GRAPH` measures", tuned.device,
                   tuned.driver);
    tuned.program = version();
    return print(tuned);
  });
}

ImportedMeasurements importMeasurements(const Device& device, const std::string& json) {
  return door::guarded([&] {
    const door::DeviceState& on = *door::Access::of(device);
    const vk::DeviceInfo& here = on.device.info();
    TunedDevice tuned;
    try {
      tuned = parseTuned(json);
    } catch (const TunedMistake& mistake) {
      door::refuse("{}", mistake.what());
    }
    if (deviceKind(tuned.device) != deviceKind(here.name))
      door::refuse(
          "these are measurements of {}, expected those of {}; --device takes another of `lacuna devices`",
          tuned.device, here.name);
    if (on.cacheFolder.empty())
      door::refuse("there is no cache folder to keep them in (LACUNA_CACHE)");
    ImportedMeasurements imported;
    const auto warnOfOther = [&](const char* what, const std::string& found, const std::string& expected) {
      if (found != expected)
        imported.warnings.push_back(fmt::format(
            "measured with {} {}, here is {}; `lacuna tune GRAPH` measures again", what, found, expected));
    };
    warnOfOther("driver", tuned.driver, here.driver);
    warnOfOther("version", tuned.program, version());
    imported.filters = TuningCache(on.cacheFolder, here, {}).import(tuned);
    imported.stayed = tuned.filters.size() - imported.filters;
    return imported;
  });
}

std::vector<FilterTimes> tune(Device& device, const Graph& graph, const TuningOptions& options) {
  return door::guarded(
      [&] { return measured(*door::Access::of(device), *door::Access::of(graph), options); });
}

}  // namespace lacuna
