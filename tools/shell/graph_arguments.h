#pragma once
// From command-line words to a loaded, scheduled graph.

#include <optional>

#include "graph/door/load_graph.h"
#include "graph/door/schedule_graph.h"
#include "tools/shell/arguments.h"

namespace lacuna {

// A graph with the modules, parameters and files of the command line; `more` has the rest; `others` are files
// that the command writes.
std::shared_ptr<door::GraphState> loadState(const GraphArguments& arguments, const std::string& graphFile,
                                            GraphOptions more = {.frames = Frames::none()},
                                            const std::vector<OtherOutput>& others = {},
                                            const StageTrace& see = {});
LoadedGraph load(const GraphArguments& arguments, const std::string& graphFile, const Frames& frames);
// The same without frames; reports mistakes.
LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile,
                    const Frames& frames = Frames::none(), const StageTrace& see = {});

PipelineOptions pipelineOptions(const GraphArguments& arguments);

door::ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device);
// Of the device of --device, which is opened. Throws vk::DeviceError.
door::ScheduleTarget openTarget(const GraphArguments& arguments);

// The passes of a loaded graph on a device. Prints errors; nullopt then. `frames` as in CompileOptions.
std::optional<OrderedPasses> scheduleFor(const GraphArguments& arguments, const door::ScheduleTarget& target,
                                         LoadedGraph loaded, int frames = 0);

}  // namespace lacuna
