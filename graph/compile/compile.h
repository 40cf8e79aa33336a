#pragma once
// The stages from a graph file to commands: each is a function from one type to the next. A StageTrace sees
// each of them (`lacuna plan G.cfg --stage all`).
//
// clang-format off
//   stage     from -> to                    function          file: what it does
//   config    text -> Config                parseConfigFile   config/config.h, with applyOptions() of load/stages.h
//   modules   -> ModuleGraph                buildModuleGraph  nodes/module_graph.h: names and values
//   sources   -> Sources                    findSources       load/stages.h: files, their frames and types
//   nodes     -> NodeGraph                  buildNodeGraph    nodes/node_graph.h: modules become nodes
//   cull      -> NodeGraph                  cull              nodes/rewrites.h: what sinks need
//             -> NodeGraph                  tileOf            nodes/tiles.h: in tiles alone
//             -> NodeGraph                  buildForTile      nodes/tiles.h: likewise
//   fuse      -> NodeGraph                  fuse              nodes/rewrites.h: pointwise nodes join
//   select    -> Plan                       select            schedule/select.h: a schedule for each filter
//   layout    -> FramePasses                layout            frame/stages.h: passes over resources
//   order     -> OrderedPasses              order             frame/stages.h: for the least peak memory
//   schedule  -> Schedule                   place             frame/stages.h: arena and barriers
//   shaders   OrderedPasses -> ShadedPasses shade             shader/generate/shaders.h: GLSL
//   code      -> CompiledPasses             compileShaders    shader/compile.h: SPIR-V
//             -> commands                   vk::Executable    vk/executable.h
// clang-format on
//
// On a device vk::Executable calls place(). The functions below call the others in this order:
// loadGraphFile() those that need no device, passesOf() those that need its model, shadersOf() and
// commandsOf() those that need it itself.

#include <array>
#include <memory>

#include "graph/frame/stages.h"
#include "graph/load/load.h"
#include "graph/schedule/select.h"
#include "graph/shader/compile.h"
#include "graph/stage_trace.h"
#include "graph/vk/executable.h"

namespace lacuna {

// Stages that a StageTrace sees before a device compiles shaders.
inline constexpr std::array stageNames = {"config", "modules", "sources", "nodes",    "cull",   "fuse",
                                          "select", "layout",  "order",   "schedule", "shaders"};

// Everything about a graph that needs no device. Everything that `check` can find: syntax, names, types,
// ranges, inputs (their headers), outputs.
LoadedGraph loadGraphFile(const std::string& path, const LoadOptions& options);
LoadedGraph loadGraphText(const std::string& text, const std::string& name, const LoadOptions& options);

struct CompileOptions {
  DeviceModel device;
  ForcedSchedules schedules;
  // Measurements of the filters of filtersOf() (run/tune/tuning.h); if null, they count as medium ones.
  std::function<Knowledge(const NodeGraph& filters)> know = {};
  int frames = 0;                   // number of frames, if compile time counts; otherwise 0
  bool fuses = true;                // if false, every node has its own passes, for comparison
  std::optional<Tiles> tiles = {};  // if none, the passes are those of the whole picture
  StageTrace see = {};
};

// Nodes before scheduling: culled and fused.
NodeGraph filtersOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// Everything about a graph that needs no device memory. Reports what the device can't run.
OrderedPasses passesOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// The same with nominal sizes: for a graph without a device.
Schedule compile(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// Throws ShaderError.
CompiledPasses shadersOf(OrderedPasses passes, const std::vector<std::string>& includePath, ShaderCache cache,
                         const StageTrace& see = {});

// `cacheFolder`: as in ShaderCache, for the driver's compiled pipelines. Throws vk::DeviceError.
std::unique_ptr<vk::Executable> commandsOf(vk::Device& device, CompiledPasses passes,
                                           const std::string& cacheFolder);

struct MemoryBound {
  uint64_t most = 0;                              // bytes
  std::function<Schedule(OrderedPasses)> placed;  // with the device's sizes
};

// The passes of a graph within a device's memory: those of the whole picture, or, where they need more, those
// of the fewest pixels in tiles. In tiles, memory for uploads and downloads counts, too, twice: a tile is
// uploaded while another is computed.
OrderedPasses passesWithin(const NodeGraph& graph, const CompileOptions& options, const MemoryBound& bound,
                           Diagnostics& diagnostics);

}  // namespace lacuna
