#pragma once
// `run` of many frames: filters that nothing is known of are measured before the first one.

#include "graph/load/frame_plan.h"
#include "tools/lacuna/run/graph_arguments.h"

namespace lacuna {

// Whether anything was measured, so that the graph is to be scheduled anew. `planned`: as it would be run.
// Never fails: what is wrong with the graph, its files or the device, the run itself tells.
bool tuneQuietly(const RunArguments& arguments, vk::Device& device, const LoadedGraph& loaded,
                 const FramePlan& plan, const std::vector<Choice>& planned);

}  // namespace lacuna
