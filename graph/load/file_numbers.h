#pragma once
// The numbers of frames' files, missing files, and the frames that a run computes. Frames count from 0, as
// `frame.index` and keyframes do; users, names of files and messages count from ModuleGraph::firstNumber.

#include "graph/files/file_kind.h"
#include "graph/files/frame_list.h"
#include "graph/files/frame_set.h"
#include "graph/nodes/module_graph.h"
#include "graph/nodes/warm_up.h"

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

// The frames that are written by default: all, or the last one (`write:last`).
FrameSet framesToWrite(const ModuleGraph& graph);

// The frames that a user requests; a graph's count from 0. With skipped frames the last one is the last frame
// with files.
FrameSet framesOf(const ModuleGraph& graph, const FrameList& list, Missing missing);

struct FramesToRun {
  FrameSet frames;  // wanted
  FrameSet warmUp;  // computed as well: no results are written
  FrameSet starts;  // those of both sets in which feedback begins with zeros
  // The latest frame without files, if it makes the warm-up shorter than wanted; else -1.
  int stoppedBy = -1;
};

// `wanted`: all with files. The warm-up's frames are computed before each of them, unless they are computed
// anyway. `there`: frames with files. A frame without files is a gap, after which warm-up and history begin
// again; with `skip` and `span` they go over it, unless warmUp.cutsAtGaps.
FramesToRun framesToRun(const FrameSet& wanted, const WarmUp& warmUp, Missing missing, const FrameSet& there);

}  // namespace lacuna
