#pragma once
// Which numbers the files of frames have. Frames count from 0, as `frame.index` and keyframes do; users,
// names of files and messages count from ModuleGraph::firstNumber.

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Whether a module reads a file a frame: a source with a number in its file name, which something is
// connected to.
bool isNumberedSource(const ModuleInstance& module);

// Fills in firstNumber of all modules and of the graph, which files of sources are there, and, where the
// graph file has no `frames:` line, the number of frames. Needs connectedOutputs.
//
// The number of frame 0 is `first` where a module is given one; else that of the graph. The graph's is the
// `first` that the sources with numbered files are given, of several the first one's; where none is given,
// the least number whose file is there; 0 without such sources. Reports sources whose files begin with
// different numbers, unless all are given their `first`.
void numberFiles(ModuleGraph& graph, Diagnostics& diagnostics);

// Reports sources that would read one file in every frame of several, or in another frame than the only one
// that the graph has, unless their parameter `still` is set; and the other way round. `written`: the frames.
void checkStills(const ModuleGraph& graph, const FrameSet& written, Diagnostics& diagnostics);

}  // namespace lacuna
