#include "graph/nodes/fuse.h"

#include "graph/nodes/cull.h"
#include "graph/nodes/fuse_join.h"

namespace lacuna {

NodeGraph fuse(NodeGraph graph, const DeviceModel& device) {
  fusePointwise(graph, device);
  fuseEpilogues(graph, device);
  fusePrologues(graph, device);
  sortNodes(graph);
  return cull(std::move(graph));
}

}  // namespace lacuna
