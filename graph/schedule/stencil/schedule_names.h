#pragma once
// The possible schedules of a stencil chain, and their names: family[rows][-words][@WxH]/storage[/synthesis],
// e.g. rows4@32x4/buffer/gathered, tiled-local@16x8/buffer. schedule_words.h lists the words.

#include <string>
#include <string_view>
#include <vector>

#include "graph/device_model.h"
#include "graph/families/stencil_schedule.h"
#include "graph/schedule/candidate.h"

namespace lacuna {

// The plainest: the baseline on buffers, with synthesis as a pass of its own.
StencilSchedule plainSchedule(bool synthesis);

// Bytes of shared memory that a dispatch takes.
uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule);

std::string print(const StencilSchedule& schedule);

// The exact schedules of a filter that `auto` and `tune` try, with their usual workgroups, the plainest
// first. Others, with more words, only exist by name.
std::vector<StencilSchedule> allSchedules(bool synthesis);

// The schedules that a name or a prefix of one means ("rows" is every rows schedule); with @WxH, those with
// that workgroup. Those of allSchedules() come alone; if there are none, the family must be written out, with
// its words. Empty if the name means none.
std::vector<StencilSchedule> schedulesNamed(std::string_view name, bool synthesis);

// Why the device can't run a chain so; empty if it can.
std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device);

}  // namespace lacuna
