#include "graph/passes/compile.h"

#include "graph/nodes/cull.h"
#include "graph/nodes/fuse.h"
#include "graph/passes/arena_plan.h"
#include "graph/passes/barriers.h"
#include "graph/passes/lifetime.h"
#include "graph/passes/limits.h"
#include "graph/passes/order.h"

namespace lacuna {

Schedule compile(NodeGraph graph, const LayoutOptions& options, Diagnostics& diagnostics) {
  NodeGraph needed = cull(std::move(graph));
  NodeGraph fused = options.fuses ? fuse(std::move(needed), options.device) : std::move(needed);
  Schedule schedule = layout(std::move(fused), options, diagnostics);
  if (!diagnostics.hasErrors())
    reportLimits(schedule, options.device, diagnostics);
  schedule = order(std::move(schedule));
  schedule = lifetimes(std::move(schedule));
  schedule = planArena(std::move(schedule));
  reportMemory(schedule, options.memory, diagnostics);
  return placeBarriers(std::move(schedule));
}

}  // namespace lacuna
