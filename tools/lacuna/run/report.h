#pragma once
// `run --report`: a page about a run in one file: the graph as it was drawn, fused and scheduled, the time of
// each pass beside its floor, memory over the frame, and what each connector holds.

#include <string>

#include "tools/shell/arguments.h"
#include "tools/timing/time_table.h"

namespace lacuna {

// `times`: of the frames that ran (RunOptions::timesPasses). The connectors' values are those of the first
// frame, which runs once more with all outputs kept; where that can't be done the page says why. Throws
// FileError.
void writeReport(const RunArguments& arguments, Device& device, const Graph& graph, Pipeline& pipeline,
                 const FrameTimes& times);

}  // namespace lacuna
