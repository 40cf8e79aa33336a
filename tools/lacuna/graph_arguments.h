#pragma once
// From command-line words to a loaded, scheduled graph.

#include <optional>

#include "graph/run/session.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// Reads the graph with the overrides of the command line; prints what is wrong to stderr. What sources
// deliver is told by their files of `firstFrame`.
LoadedGraph loadFor(const GraphArguments& arguments, const std::string& graphFile, int firstFrame = 0);

// The device that a schedule is for, with what is known of it.
struct ScheduleTarget {
  DeviceModel model;
  KnowChain know;
};
ScheduleTarget targetOf(const GraphArguments& arguments, const vk::DeviceInfo& device);

// As the command line says; schedules of single modules aren't checked against the graph.
LayoutOptions layoutOptionsFor(const GraphArguments& arguments, const ScheduleTarget& target);

// The schedule of a loaded graph on a device. Prints errors; nullopt then.
std::optional<Schedule> scheduleFor(const GraphArguments& arguments, const ScheduleTarget& target,
                                    LoadedGraph loaded);

}  // namespace lacuna
