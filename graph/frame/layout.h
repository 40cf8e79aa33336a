#pragma once
// Needs: a plan. Gives each value its place (buffer or image) and layout, and turns nodes into passes over
// resources, in a valid order. Guarantees: the same results to the last bit, whatever the plan, except for
// schedules whose names say otherwise.

#include "graph/config/diagnostics.h"
#include "graph/frame/schedule.h"
#include "graph/schedule/select.h"

namespace lacuna {

FramePasses layout(Plan plan, const DeviceModel& device, Diagnostics& diagnostics);

}  // namespace lacuna
