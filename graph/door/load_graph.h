#pragma once
// Makes a Graph, and its passes on a device or without one, in steps, for the program's commands, which read
// parts of it before it is complete.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/compile/compile.h"
#include "graph/door/lacuna/lacuna.h"
#include "graph/door/state.h"
#include "graph/nodes/node_graph.h"
#include "graph/run/tune/tuning.h"

namespace lacuna::door {

// A graph's file, or its text and the text's name.
struct GraphOrigin {
  std::string name;
  const std::string* text = nullptr;  // null if it is in the file of this name
  StageTrace see = {};
  std::string overwriting = {};  // the caller's option that sets GraphOptions::overwriteInput, or empty
};

// All mistakes are in the diagnostics of `loaded`.
std::shared_ptr<GraphState> loadGraph(const GraphOrigin& origin, const GraphOptions& options,
                                      const std::vector<OtherOutput>& others = {});

// Throws Error where there are errors.
Graph openGraph(std::shared_ptr<GraphState> state);

// Reports all mistakes in the shaders of a loaded graph: in its bodies as they would run, then in each of
// `modules` by itself, since nodes that the graph's parameters leave out, or types that it does not have, may
// be wrong, too.
void reportShaders(const NodeGraph& graph,
                   const std::vector<std::shared_ptr<const ModuleDescription>>& modules,
                   const std::vector<std::string>& modulePath, Diagnostics& diagnostics);

// The device that a graph is scheduled for, with its measured properties.
struct ScheduleTarget {
  DeviceModel model;
  std::optional<TuningCache> cache;  // none if that depends on the bodies alone
  std::vector<std::string> modulePath;
  std::function<MemoryNeeds(const Passes&)> memoryNeeds = {};  // of the device; if none, nominal sizes
  StageTrace see = {};
  uint64_t memoryBytes = 0;  // of the device; 0: unknown
  GivenPlaces given = {};    // of a program that records the passes itself; then there are no tiles

  FrameGraph placed(FrameGraph passes) const;
};
ScheduleTarget targetOf(const vk::DeviceInfo& device, const std::string& cacheFolder,
                        const std::vector<std::string>& modulePath);
// The same, with its memory.
ScheduleTarget targetOn(std::shared_ptr<DeviceState> device, const std::vector<std::string>& modulePath);

// One of deviceModels(). Throws Error for another word.
const DeviceModel& deviceModel(const std::string& name);

// The sources and sinks of passes, and their places by `formats`, as in RecordOptions. Throws Error for a
// format or a name that doesn't exist.
MemoryPorts portsOf(const Passes& passes);
GivenPlaces placesOf(const ModuleGraph& graph, const std::map<std::string, VkFormat>& formats);
// An error for each node that only a program that submits itself could run.
void reportUnrecordable(const FrameGraph& passes, Diagnostics& diagnostics);

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
