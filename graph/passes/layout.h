#pragma once
// Needs: a culled, fused NodeGraph. Gives each stencil chain its schedule, each value its place (buffer or
// image) and layout, and turns nodes into passes over resources, in a valid order. Guarantees: exact for
// everything but the synthesis forms, which differ in rounding (carried rounds its running sum through the
// state's format at every level).

#include "graph/schedule/choose.h"

namespace lacuna {

struct LayoutOptions {
  DeviceModel device;
  ForcedSchedules schedules;
  uint64_t memory = 0;   // bytes that the arenas may take; 0: any
  KnowFilter know = {};  // what was measured (run/tune/tuning.h); none: filters are taken for medium ones
  bool fuses = true;     // false: every node has passes of its own, to compare with
};

Schedule layout(NodeGraph graph, const LayoutOptions& options, Diagnostics& diagnostics);

}  // namespace lacuna
