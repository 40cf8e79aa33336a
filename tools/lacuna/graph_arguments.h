#pragma once
// From command-line words to a loaded, scheduled graph.

#include <optional>

#include "graph/run/session.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// Reads the graph with the overrides of the command line; prints what is wrong to stderr. What sources
// deliver is told by their files of `firstFrame`.
LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile, int firstFrame = 0);

// The schedule of a loaded graph on a device. Prints errors; nullopt then.
std::optional<Schedule> scheduleFor(const GraphArguments& arguments, const DeviceModel& model,
                                    LoadedGraph loaded);

}  // namespace lacuna
