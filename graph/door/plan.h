#pragma once
// A schedule as the public header shows it.

#include "graph/door/lacuna/lacuna.h"
#include "graph/frame/schedule.h"
#include "graph/nodes/warm_up.h"

namespace lacuna::door {

// `built`: the graph before it was culled and fused.
GraphPlan planOf(const Schedule& schedule, const NodeGraph& built);
std::vector<PassPlan> passPlans(const Passes& passes);

}  // namespace lacuna::door
