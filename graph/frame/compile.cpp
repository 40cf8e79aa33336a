#include "graph/frame/compile.h"

#include "graph/frame/layout.h"
#include "graph/frame/limits.h"
#include "graph/frame/order.h"
#include "graph/nodes/cull.h"
#include "graph/nodes/fuse.h"

namespace lacuna {

NodeGraph filtersOf(NodeGraph graph, const DeviceModel& device, bool fuses) {
  NodeGraph needed = cull(std::move(graph));
  return fuses ? fuse(std::move(needed), device) : needed;
}

OrderedPasses passesOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics) {
  Plan plan = select(filtersOf(std::move(graph), options.device, options.fuses), options.device,
                     options.schedules, options.known, diagnostics);
  FramePasses passes = layout(std::move(plan), options.device, diagnostics);
  if (!diagnostics.hasErrors()) {
    reportLimits(passes, options.device, diagnostics);
  }
  return order(std::move(passes));
}

Schedule compile(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics) {
  return place(passesOf(std::move(graph), options, diagnostics));
}

}  // namespace lacuna
