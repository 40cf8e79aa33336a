#include "graph/compile/fuse.h"

#include "graph/compile/cull.h"
#include "graph/compile/fuse_join.h"

namespace lacuna {

NodeGraph fuse(NodeGraph graph, const DeviceModel& device) {
  fusePointwise(graph, device);
  fuseEpilogues(graph, device);
  fusePrologues(graph, device);
  sortNodes(graph);
  return cull(std::move(graph));
}

}  // namespace lacuna
