#include "graph/door/public_types.h"

#include "graph/door/errors.h"
#include "graph/door/schedule_graph.h"
#include "graph/door/state.h"
#include "graph/frame/stages.h"
#include "graph/nodes/reach.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {
namespace {

GraphPlan planned(const door::GraphState& graph, const PipelineOptions& options,
                  const door::ScheduleTarget& target) {
  Diagnostics diagnostics = graph.loaded.diagnostics;
  const auto frame = door::frameOf(graph.loaded.graph, options, target, diagnostics);
  if (!frame) {
    throw Error(ErrorKind::graph, diagnostics.messages());
  }
  return door::planOf(*frame, graph.loaded.graph);
}

}  // namespace

namespace door {

std::vector<PassPlan> passPlans(const Passes& passes) {
  std::vector<PassPlan> plans;
  for (const Pass& pass : passes.passes) {
    plans.push_back({pass.name, pass.groups, pass.bytesRead, pass.bytesWritten, pass.sharedBytes,
                     pass.kind == PassKind::upload || pass.kind == PassKind::download});
  }
  return plans;
}

GraphPlan planOf(const FrameGraph& schedule, const NodeGraph& built) {
  GraphPlan plan;
  plan.filters = schedule.choices;
  plan.passes = passPlans(schedule);
  if (const std::optional<Tiles>& tiles = schedule.tiles) {
    plan.tiles = {tiles->columns().size(), tiles->rows().size(), tiles->extent.width,
                  tiles->extent.height,    tiles->halo,          tiles->work()};
  }
  plan.memoryBytes = schedule.arenaBytes;
  plan.unaliasedBytes = schedule.unaliasedBytes;
  plan.liveBytes = schedule.largestLiveBytes;
  if (schedule.largestLivePass) {
    plan.livePass = schedule.passes[schedule.largestLivePass].name;
  }
  for (const ResourceId resource : liveAt(schedule, schedule.largestLivePass)) {
    plan.liveTogether.push_back(schedule.resources[resource].name);
  }
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

GraphPlan plan(const Graph& graph, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    return planned(state, options, {{}, std::nullopt, state.modulePath});
  });
}

GraphPlan plan(const Graph& graph, const Device& device, const PipelineOptions& options) {
  return door::guarded([&] {
    const door::GraphState& state = *door::Access::of(graph);
    return planned(state, options, door::targetOn(door::Access::of(device), state.modulePath));
  });
}

}  // namespace lacuna
