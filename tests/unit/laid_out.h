#pragma once

#include "graph/frame/stages.h"

namespace lacuna::test {

// As compile() does, for an unchanged graph.
inline FrameGraph laidOut(const NodeGraph& graph, const DeviceModel& device, Diagnostics& diagnostics) {
  return layout(select(graph, device, {}, {}, diagnostics), device, diagnostics);
}

}  // namespace lacuna::test
