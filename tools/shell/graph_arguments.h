#pragma once
// From command-line words to a loaded, scheduled graph.

#include <optional>
#include <set>
#include <string>

#include "graph/door/load_graph.h"
#include "tools/shell/arguments.h"

namespace lacuna {

// A graph with the modules, parameters and files of the command line; `more` has the rest; `others` are files
// that the command writes.
std::shared_ptr<door::GraphState> loadState(const GraphArguments& arguments, const std::string& graphFile,
                                            GraphOptions more = {.frames = Frames::none()},
                                            const std::vector<OtherOutput>& others = {},
                                            const StageTrace& see = {});
// The same; prints mistakes.
LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile,
                    const StageTrace& see = {});

// The lines of a graph file for a module: its parameters that are set, with their values in a frame; if none,
// with their keyframes.
std::string moduleLines(const ModuleInstance& module, std::optional<int> frame);

// The files that a module reads in the first frame to run, and those that its parameters name.
std::set<std::string> filesToRead(const door::GraphState& state, const ModuleInstance& module);

door::ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device);
// Of the device of --device, which is opened. Throws vk::DeviceError.
door::ScheduleTarget openTarget(const GraphArguments& arguments);

}  // namespace lacuna
