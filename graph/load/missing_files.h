#pragma once
// Files of frames that sources lack. Of sources whose file names have a number in them, and which something
// is connected to.

#include <functional>
#include <string>

#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// "i-png:01 has no files for 2 of 5 frames: a_3.png, a_4.png".
std::string lacksFiles(const std::string& who, const FrameSet& lacking, size_t frames,
                       const std::function<std::string(int)>& nameOf);
constexpr const char* helpsMissing =
    "--missing skip leaves such frames out, --missing hold shows the last one again";

// The frames that a module has its file for, or one that stands in for it; all there can be, of modules but
// the sources above. Needs numberFiles().
FrameSet framesWithFile(const ModuleInstance& module);
FrameSet framesWithFiles(const ModuleGraph& graph);  // of all modules

// Looks for the files of `frames`. Missing ones are reported, all of a source in one diagnostic at its
// filename: an error, or a warning where skip or hold help. Returns the frames that can be run: without those
// skipped. hold sets ModuleInstance::holdsLast.
FrameSet findFiles(ModuleGraph& graph, const FrameSet& frames, Missing missing, Diagnostics& diagnostics);

}  // namespace lacuna
