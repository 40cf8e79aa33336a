#include "graph/compile/compile.h"

#include <fmt/format.h>

#include "graph/frame/limits.h"
#include "graph/frame/stages.h"
#include "graph/frame/tile_passes.h"
#include "graph/load/file_numbers.h"
#include "graph/load/files.h"
#include "graph/load/load.h"
#include "graph/nodes/rewrites.h"
#include "graph/nodes/tiles.h"
#include "graph/nodes/warm_up.h"
#include "graph/record/pipeline_files.h"

namespace lacuna {
namespace {

void load(LoadedGraph& loaded, Config parsed, const LoadOptions& options) {
  const StageTrace& see = options.see;
  Diagnostics& diagnostics = loaded.diagnostics;
  Registry registry(options.modulePath);
  Config config = see("config", applyOptions(std::move(parsed), options, registry, diagnostics));
  ModuleGraph modules = see("modules", buildModuleGraph(config, registry, diagnostics));
  loaded.descriptions = descriptionsOf(modules);
  Sources sources = see("sources", findSources(std::move(modules), options, diagnostics));
  loaded.frames = sources.frames.value_or(FrameSet());
  if (sources.isRight)
    loaded.graph = see("nodes", buildNodeGraph(std::move(sources), diagnostics));
  if (!diagnostics.hasErrors())
    checkWarmUp(loaded.graph, diagnostics);
}

}  // namespace

LoadedGraph loadGraphFile(const std::string& path, const LoadOptions& options) {
  LoadedGraph loaded;
  load(loaded, parseConfigFile(path, loaded.diagnostics, options.includeRoots), options);
  return loaded;
}

LoadedGraph loadGraphText(const std::string& text, const std::string& name, const LoadOptions& options) {
  LoadedGraph loaded;
  load(loaded, parseConfigText(text, name, loaded.diagnostics, options.includeRoots), options);
  return loaded;
}

NodeGraph filtersOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics) {
  NodeGraph chosen = options.given.empty() ? chooseHosts(std::move(graph), options.device) : std::move(graph);
  NodeGraph needed = options.see("cull", cull(std::move(chosen)));
  if (options.tiles)
    needed = buildForTile(tileOf(std::move(needed), *options.tiles), *options.tiles, diagnostics);
  return options.see("fuse", options.fuses ? fuse(std::move(needed), options.device) : std::move(needed));
}

FrameGraph passesOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics) {
  const StageTrace& see = options.see;
  NodeGraph filters = filtersOf(std::move(graph), options, diagnostics);
  Knowledge known = options.know ? options.know(filters) : Knowledge();
  for (auto& [name, filter] : known)
    filter.frames = options.frames;
  Plan plan = see("plan", select(std::move(filters), options.device, options.schedules, known, diagnostics));
  FrameGraph passes = see("layout", layout(std::move(plan), options.device, diagnostics, options.given));
  if (options.tiles)
    passes = inTiles(std::move(passes), *options.tiles);
  if (!diagnostics.hasErrors())
    reportLimits(passes, options.device, diagnostics);
  return see("order", order(std::move(passes)));
}

FrameGraph compile(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics) {
  return options.see("frame", place(passesOf(std::move(graph), options, diagnostics)));
}

Shaders shadersOf(FrameGraph passes, const std::vector<std::string>& includePath, ShaderCache cache,
                  const StageTrace& see) {
  Shaders shaded = see("shaders", shade(std::move(passes), includePath));
  return see("code", compileShaders(std::move(shaded), std::move(cache)));
}

std::unique_ptr<vk::Executable> commandsOf(vk::Device& device, Shaders passes,
                                           const std::string& cacheFolder) {
  const vk::Code spirv = std::move(passes.spirv);
  return std::make_unique<vk::Executable>(device, std::move(passes), spirv,
                                          pipelineFiles(cacheFolder, device.info()));
}

}  // namespace lacuna
