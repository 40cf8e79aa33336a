#pragma once
// Parts of a sequence, for several machines (`lacuna plan --chunks`) or devices.

#include "tools/lacuna/commands.h"

namespace lacuna {

// The frames of a loaded graph in at most `count` parts, with warm-ups as short as possible; in users'
// numbers.
std::vector<FrameSet> framesInParts(const door::GraphState& state, size_t count);

int printChunks(const PlanArguments& arguments);

}  // namespace lacuna
