#pragma once
// Sequences that an earlier run began.

#include <array>

#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// The state of an output of an earlier run.
enum class Output { upToDate, missing, incomplete, unrecorded, otherSettings, otherInputs };
constexpr size_t outputStates = 6;

struct Unfinished {
  FrameSet frames;
  std::array<size_t, outputStates>
      counts{};  // numbers of frames, by the reason for their first output that isn't up to date
};

// The frames for which some sink's file is missing, empty or, by the sink's native code, incomplete, or
// wasn't made from the present program and inputs (made_from.h). If inputs are missing, existing outputs
// count as done. If no sink has a file, all frames. `settings`: settingsDigest().
Unfinished unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames, Missing missing,
                            uint64_t settings);

// The frames for which some sink's file is missing, whatever the others contain.
FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
