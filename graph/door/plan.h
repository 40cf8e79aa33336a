#pragma once
// A schedule as the door shows it.

#include "graph/door/lacuna/lacuna.h"
#include "graph/frame/schedule.h"
#include "graph/nodes/warm_up.h"

namespace lacuna::door {

GraphPlan planOf(const Schedule& schedule, const WarmUp& warmUp);

}  // namespace lacuna::door
