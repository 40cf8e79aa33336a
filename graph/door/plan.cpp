#include "graph/door/plan.h"

#include "graph/door/errors.h"
#include "graph/door/schedule_graph.h"
#include "graph/door/state.h"

namespace lacuna {
namespace {

FilterPlan filterPlan(const Choice& choice) {
  FilterPlan plan;
  plan.filter = choice.node;
  plan.schedule = choice.schedule;
  plan.reason = choice.reason;
  plan.forced = choice.asked;
  plan.floorBytes = choice.floorBytes;
  plan.floorMs = choice.floorMs;
  for (const Candidate& each : choice.candidates) {
    plan.candidates.push_back({each.schedule, each.family, each.exact, each.rejected, each.passes, each.bytes,
                               each.ms, each.measured});
  }
  return plan;
}

GraphPlan planned(const door::GraphState& graph, const PipelineOptions& options,
                  const door::ScheduleTarget& target) {
  Diagnostics diagnostics = graph.loaded.diagnostics;
  auto passes = door::scheduleGraph(graph.loaded.graph, options, target, diagnostics);
  if (!passes) {
    throw Error(ErrorKind::graph, door::messagesOf(diagnostics));
  }
  return door::planOf(place(std::move(*passes)), warmUpOf(graph.loaded.graph));
}

}  // namespace

namespace door {

GraphPlan planOf(const Schedule& schedule, const WarmUp& warmUp) {
  GraphPlan plan;
  for (const Choice& choice : schedule.choices) {
    plan.filters.push_back(filterPlan(choice));
  }
  for (const Pass& pass : schedule.passes) {
    plan.passes.push_back({pass.name, pass.bytesRead, pass.bytesWritten, pass.sharedBytes,
                           pass.kind == PassKind::upload || pass.kind == PassKind::download});
  }
  plan.memoryBytes = schedule.arenaBytes;
  plan.unaliasedBytes = schedule.unaliasedBytes;
  plan.warmUp = print(warmUp);
  return plan;
}

}  // namespace door

GraphPlan plan(const Graph& graph, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    return planned(state, options, {{}, std::nullopt, state.modulePath});
  });
}

GraphPlan plan(const Graph& graph, const Device& device, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    const door::DeviceState& on = *door::Access::of(device);
    return planned(state, options, door::targetOf(on.device.info(), on.cacheFolder, state.modulePath));
  });
}

}  // namespace lacuna
