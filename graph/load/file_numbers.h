#pragma once
// The numbers of frames' files, and missing files. Frames count from 0, as `frame.index` and keyframes do;
// users, names of files and messages count from ModuleGraph::firstNumber.

#include "graph/files/file_kind.h"
#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// Whether a module reads one file for each frame: a source whose output is connected, with a number in its
// file name, or with frameFiles.
bool isNumberedSource(const ModuleInstance& module);

// Whether another program is about to write a numbered source's file of the frame.
bool isAwaited(const ModuleGraph& graph, int frame, Awaited& awaited);

// Sets firstNumber of all modules and of the graph, the existing files of sources, and, if the graph file has
// no `frames:` line, the number of frames. Needs connectedOutputs.
//
// The number of frame 0 is the module's `first` if it has one, else that of the graph. The graph's number is
// the `first` of the first source with numbered files that sets it; otherwise the smallest number of an
// existing file; 0 without such sources. Reports sources whose files begin with different numbers, unless all
// have their own `first`.
void numberFiles(ModuleGraph& graph, Diagnostics& diagnostics);

// Reports sources that would read one file in each of several frames, or in another frame than the graph's
// only one, unless their parameter `still` is set, and `still` sources with a number in their file name.
// `written`: the frames.
void checkStills(const ModuleGraph& graph, const FrameSet& written, Diagnostics& diagnostics);

// The frames for which a module has its file, or a substitute; for other modules than connected sources with
// a number in their file names, all frames. Needs numberFiles().
FrameSet framesWithFile(const ModuleInstance& module);
FrameSet framesWithFiles(const ModuleGraph& graph);  // of all modules

// Looks for the files of `frames`, of connected sources with a number in their file names. Missing ones are
// reported, all of a source in one diagnostic at its filename: an error, or a warning with skip or hold.
// Returns the frames that can run, without skipped ones. hold sets ModuleInstance::holdsLast.
FrameSet findFiles(ModuleGraph& graph, const FrameSet& frames, Missing missing, Diagnostics& diagnostics);

}  // namespace lacuna
