#pragma once
// The work of a workgroup of the family `fused`: the pixels of its last fused level are its own; each level
// before also computes those that the taps of the next one reach.

#include <vector>

#include "graph/families/stencil_schedule.h"

namespace lacuna {

struct FusedLevel {
  int logDilation = 0;
  int border = 0;  // pixels computed left of and above the workgroup's own, where the image has them
  int width = 0;   // pixels computed
  int height = 0;  // whole runs of `rows` pixels one dilation apart
};

// The chain's first `schedule.fused` levels, or all if it has fewer.
std::vector<FusedLevel> fusedLevels(const Node& node, const StencilSchedule& schedule);

// Shared memory: the states between the levels, in the state's format.
uint32_t fusedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule);

}  // namespace lacuna
