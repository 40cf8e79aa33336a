#pragma once
// From command-line words to a loaded, scheduled graph.

#include <optional>

#include "graph/door/schedule_graph.h"
#include "graph/load/load.h"
#include "graph/run/tune/tuning.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// As LoadOptions says of its members.
struct WantedFrames {
  std::function<std::vector<int>(const ModuleGraph&)> of = {};
  MissingFiles missing = MissingFiles::error;
  bool overwriteInput = false;
  bool skipDamaged = false;
};

// Reads the graph with the overrides of the command line.
LoadedGraph load(const GraphArguments& arguments, const std::string& graphFile,
                 const WantedFrames& frames = {});
// The same, and reports what is wrong.
LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile,
                    const WantedFrames& frames = {});

PipelineOptions pipelineOptions(const GraphArguments& arguments);

door::ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device);

// As the command line says; schedules of single modules aren't checked against the graph.
CompileOptions compileOptionsFor(const GraphArguments& arguments, const door::ScheduleTarget& target,
                                 const NodeGraph& graph);

// The passes of a loaded graph on a device. Prints errors; nullopt then.
std::optional<OrderedPasses> scheduleFor(const GraphArguments& arguments, const door::ScheduleTarget& target,
                                         LoadedGraph loaded);

}  // namespace lacuna
