#pragma once
// Needs: a plan. Gives each value its place (buffer or image) and layout, and turns nodes into passes over
// resources, in a valid order. Guarantees: exact for everything but the synthesis forms, which differ in
// rounding (carried rounds its running sum through the state's format at every level).

#include "graph/config/diagnostics.h"
#include "graph/frame/schedule.h"
#include "graph/schedule/select.h"

namespace lacuna {

FramePasses layout(Plan plan, const DeviceModel& device, Diagnostics& diagnostics);

}  // namespace lacuna
