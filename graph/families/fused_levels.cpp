#include "graph/families/fused_levels.h"

#include <algorithm>

namespace lacuna {
namespace {

int roundUp(int n, int step) {
  return (n + step - 1) / step * step;
}

}  // namespace

std::vector<FusedLevel> fusedLevels(const Node& node, const StencilSchedule& schedule) {
  std::vector<FusedLevel> levels(static_cast<size_t>(std::min(schedule.fused, node.levels)));
  FusedLevel next;
  int reach = 0;
  next.width = static_cast<int>(schedule.workgroup[0]);
  next.height = static_cast<int>(schedule.workgroup[1]) * schedule.rows;
  for (size_t l = levels.size(); l-- > 0;) {
    FusedLevel& level = levels[l];
    level.logDilation = node.description->stencil.dilated ? static_cast<int>(l) : 0;
    level.border = next.border + reach;
    level.width = next.width + 2 * reach;
    level.height = roundUp(next.height + 2 * reach, schedule.rows << level.logDilation);
    reach = (node.radius + node.patch) << level.logDilation;
    next = level;
  }
  return levels;
}

uint32_t fusedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule) {
  const std::vector<FusedLevel> levels = fusedLevels(node, schedule);
  uint32_t pixels = 0;
  for (size_t l = 0; l + 1 < levels.size(); ++l) {
    pixels += static_cast<uint32_t>(levels[l].width * levels[l].height);
  }
  const ValueType state = stateTypeOf(graph, node);
  return pixels * bytesPerPixel(state.channels, state.format);
}

}  // namespace lacuna
