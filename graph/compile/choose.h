#pragma once
// Which schedule each stencil chain gets, and why. Until chains are measured and costs modelled, `auto`
// follows the measurements in graph/README.md: register blocking on buffers for CPU devices; on GPUs register
// blocking for light taps and permuted shared tiles for heavy ones.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "graph/compile/schedule.h"

namespace lacuna {

// What the compile stages know of a device. By default, without one at hand: what every device that Lacuna
// runs on has.
struct DeviceModel {
  bool cpu = true;
  uint64_t maxStorageBufferRange = 128ULL << 20U;
  uint32_t maxImageSize = 16384;
  uint32_t maxSharedMemory = 16384;
  uint32_t maxWorkgroupInvocations = 256;
  bool subgroupVote = false;
  std::array<uint32_t, 3> maxWorkgroups{65535, 65535, 65535};
  std::array<uint32_t, 3> maxBindings{16, 16, 8};  // a shader: storage buffers, sampled and storage images
  uint64_t maxAllocation = 1ULL << 30U;            // bytes of one resource
};

// Schedule names by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every chain.
using ForcedSchedules = std::map<std::string, std::string>;

// Why the device can't run a chain so; empty: it can.
std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device);

struct Chosen {
  StencilSchedule schedule;
  Choice choice;
};

// Reports names that mean no schedule, and forced schedules that the device refuses.
Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, Diagnostics& diagnostics);

}  // namespace lacuna
