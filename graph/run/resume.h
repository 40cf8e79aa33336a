#pragma once
// Sequences that were begun before.

#include <array>

#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// What is the matter with an output of an earlier run.
enum class Output { upToDate, missing, incomplete, unrecorded, otherSettings, otherInputs };
constexpr size_t outputStates = 6;

struct Unfinished {
  FrameSet frames;
  std::array<size_t, outputStates>
      counts{};  // of frames, by the first of their outputs that isn't up to date
};

// The frames for which some sink's file is missing, empty or, by the sink's native code, incomplete, or was
// made from something else than it would be made from now (made_from.h). Where inputs are gone, outputs that
// are there count as done. If no sink has a file, all frames. `settings`: settingsDigest().
Unfinished unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames, Missing missing,
                            uint64_t settings);

// Those that some sink's file is missing for, whatever is in the others.
FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
