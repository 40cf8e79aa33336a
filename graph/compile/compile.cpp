#include "graph/compile/compile.h"

#include "graph/compile/arena_plan.h"
#include "graph/compile/barriers.h"
#include "graph/compile/cull.h"
#include "graph/compile/fuse.h"
#include "graph/compile/lifetime.h"
#include "graph/compile/limits.h"
#include "graph/compile/order.h"

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
