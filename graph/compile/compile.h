#pragma once
// From a graph file to commands: eight types, each made of the one before. A StageTrace sees each of them,
// and the steps of those that are rewritten (`lacuna plan G.cfg --stage all`).
//
// clang-format off
//   stage                type        functions                            headers: what they do
//   config               Config      parseConfigFile, applyOptions        config/config.h, load/load.h: lines
//   modules              ModuleGraph buildModuleGraph                     nodes/module_graph.h: names and values
//   sources              Sources     findSources                          load/load.h: files, frames, types
//   nodes, cull, fuse    NodeGraph   buildNodeGraph, chooseHosts, cull,   nodes/node_graph.h, nodes/rewrites.h
//                                    fuse
//                                    tileOf, buildForTile                 nodes/tiles.h: in tiles alone
//   plan                 Plan        select                               schedule/select.h: filters' schedules
//   layout, order, frame FrameGraph  layout, order, place                 frame/stages.h: passes, memory, barriers
//   shaders, code        Shaders     shade, compileShaders                shader/generate/shaders.h, shader/compile.h
//                        Executable  commandsOf                           vk/executable.h: commands on a device
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
inline constexpr std::array stageNames = {"config", "modules", "sources", "nodes", "cull",   "fuse",
                                          "plan",   "layout",  "order",   "frame", "shaders"};

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
  // For a program that records the passes itself: its memory, and no node runs on the host in place of
  // others.
  GivenPlaces given = {};
  StageTrace see = {};
};

// Nodes before scheduling: culled and fused.
NodeGraph filtersOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// Everything about a graph that needs no device memory. Reports what the device can't run.
FrameGraph passesOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// The same with nominal sizes: for a graph without a device.
FrameGraph compile(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// Throws ShaderError.
Shaders shadersOf(FrameGraph passes, const std::vector<std::string>& includePath, ShaderCache cache,
                  const StageTrace& see = {});

// `cacheFolder`: as in ShaderCache, for the driver's compiled pipelines. Throws vk::DeviceError.
std::unique_ptr<vk::Executable> commandsOf(vk::Device& device, Shaders passes,
                                           const std::string& cacheFolder);

struct MemoryBound {
  uint64_t most = 0;                             // bytes
  std::function<FrameGraph(FrameGraph)> placed;  // with the device's sizes
};

// The passes of a graph within a device's memory: those of the whole picture, or, where they need more, those
// of the fewest pixels in tiles. In tiles, memory for uploads and downloads counts, too, twice: a tile is
// uploaded while another is computed.
FrameGraph passesWithin(const NodeGraph& graph, const CompileOptions& options, const MemoryBound& bound,
                        Diagnostics& diagnostics);

}  // namespace lacuna
