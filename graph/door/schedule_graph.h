#pragma once
// The schedule of a graph with a user's options, on a device or without one.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "graph/compile/compile.h"
#include "graph/door/lacuna/lacuna.h"
#include "graph/run/tune/tuning.h"

namespace lacuna::door {

// The device that a graph is scheduled for, with its measured properties.
struct ScheduleTarget {
  DeviceModel model;
  std::optional<TuningCache> cache;  // none if that depends on the bodies alone
  std::vector<std::string> modulePath;
  std::function<MemoryNeeds(const Passes&)> memoryNeeds = {};  // of the device; if none, nominal sizes
  StageTrace see = {};
  uint64_t memoryBytes = 0;  // of the device; 0: unknown

  FrameGraph placed(FrameGraph passes) const;
};
ScheduleTarget targetOf(const vk::DeviceInfo& device, const std::string& cacheFolder,
                        const std::vector<std::string>& modulePath);
// The same, with its memory.
ScheduleTarget targetOn(std::shared_ptr<DeviceState> device, const std::vector<std::string>& modulePath);

// Schedules of single modules aren't checked against the graph.
CompileOptions compileOptions(const PipelineOptions& options, const ScheduleTarget& target);

// The ordered passes of a loaded graph. nullopt: `diagnostics` has errors. `frames` as in CompileOptions.
std::optional<FrameGraph> scheduleGraph(NodeGraph graph, const PipelineOptions& options,
                                        const ScheduleTarget& target, Diagnostics& diagnostics,
                                        int frames = 0);
// The same with their memory and barriers: all stages up to a frame.
std::optional<FrameGraph> frameOf(NodeGraph graph, const PipelineOptions& options,
                                  const ScheduleTarget& target, Diagnostics& diagnostics, int frames = 0);

}  // namespace lacuna::door
