#include "graph/load/begin_readable.h"

#include <algorithm>

#include "graph/load/file_numbers.h"
#include "graph/load/probe.h"

namespace lacuna {
namespace {

// Tried on a copy: what settle() sets follows from the frame.
bool isReadable(const FramedGraph& graph, int frame) {
  FramedGraph tried = graph;
  tried.firstFrame = frame;
  Diagnostics found;
  const SettledGraph settled = settle(std::move(tried), found);
  return !found.hasErrors() &&
         std::all_of(settled.modules.begin(), settled.modules.end(), [&](const ModuleInstance& module) {
           return !isNumberedSource(module) || canProbe(module, settled);
         });
}

}  // namespace

FramedGraph beginReadable(FramedGraph graph) {
  FrameSet differing = graph.runnable.first(1);  // other frames read the same files as one before
  for (const ModuleInstance& module : graph.modules) {
    differing = differing.with(module.there);
  }
  for (const int frame : graph.runnable.within(differing)) {
    if (isReadable(graph, frame)) {
      graph.firstFrame = frame;
      break;
    }
  }
  return graph;
}

}  // namespace lacuna
