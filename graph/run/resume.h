#pragma once
// Sequences that an earlier run began.

#include <array>
#include <string>
#include <vector>

#include "graph/files/frame_set.h"
#include "graph/nodes/module_graph.h"
#include "graph/run/recorder.h"

namespace lacuna {

// The state of an output of an earlier run.
enum class Output { upToDate, missing, incomplete, unrecorded, olderRecord, otherSettings, otherInputs };
constexpr size_t outputStates = 7;

struct Unfinished {
  FrameSet frames;
  std::array<size_t, outputStates>
      counts{};  // numbers of frames, by the reason for their first output that isn't up to date
  std::vector<std::string> damaged;  // why records can't be read
};

// The frames for which some sink's file is missing, empty or, by the sink's native code, incomplete, or
// wasn't made from the present program and inputs (made_from.h). If inputs are missing, existing outputs
// count as done. If no sink has a file, all frames. `now`: as such a run would record it.
Unfinished unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames, Missing missing,
                            const Recording& now);

// The frames for which some sink's file is missing, whatever the others contain.
FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
