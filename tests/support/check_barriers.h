#pragma once
// An independent check of graph/frame/barriers.h.

#include <string>
#include <vector>

#include "graph/frame/frame_graph.h"

namespace lacuna {

// Written from the definition of happens-before and not from placeBarriers: all pairs of passes (two frames
// in a row) whose declared accesses conflict in memory must be separated by barriers that name both sides'
// accesses, at once or through a chain. Also: reads of unwritten values, images used without a discard, and
// discards of used ones. Returns one line a violation; empty means correct. It trusts a hazard only for its
// own resource's bytes, which is less than Vulkan promises.
std::vector<std::string> checkBarriers(const FrameGraph& schedule);
// The same for a frame of one schedule and then one of another, which differ only in passes and barriers
// (frame/stages.h).
std::vector<std::string> checkBarriers(const FrameGraph& first, const FrameGraph& second);

}  // namespace lacuna
