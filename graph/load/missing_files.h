#pragma once
// Files of frames that sources lack. Of sources whose file names have a number in them, and which something
// is connected to.

#include <string>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// What is done about a missing file. error: nothing is run. skip: its frame is not run, feedback goes on from
// the frame before. hold: the last frame that is there is shown again.
enum class MissingFiles { error, skip, hold };

// Whether a module has its file for the frame, or one that stands in for it; true of all modules but the
// sources above.
bool hasFile(const ModuleInstance& module, const std::string& folder, int frame);
bool hasFiles(const ModuleGraph& graph, int frame);  // all of them

// Looks for the files of `frames` (ascending). Missing ones are reported, all of a source in one diagnostic
// at its filename: an error, or a warning where skip or hold help. Returns the frames that can be run:
// without those skipped. hold fills in ModuleInstance::standIns of all frames from 0 to the last.
std::vector<int> findFiles(ModuleGraph& graph, const std::vector<int>& frames, MissingFiles missing,
                           Diagnostics& diagnostics);

}  // namespace lacuna
