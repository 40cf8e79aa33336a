#include <fmt/format.h>

#include <fstream>

#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/files/file_name.h"
#include "graph/files/part_file.h"
#include "graph/record/bundle.h"
#include "graph/record/shader_features.h"

namespace lacuna {
namespace {

using door::GraphState;
using door::ScheduleTarget;

// The size of all sources; without any, that of a sink.
Extent sizeOfSources(const MemoryPorts& ports) {
  std::optional<Extent> size;
  for (const bool areSources : {true, false}) {
    for (const auto& [name, port] : ports) {
      if (port.isSource != areSources || !port.isUsed() || (size && !areSources))
        continue;
      const Extent own = port.type.extent;
      if (size && *size != own) {
        door::refuse("exportBundle: {} has {}x{} pixels, other sources have {}x{}; expected one size for all",
                     name, own.width, own.height, size->width, size->height);
      }
      size = own;
    }
  }
  return size.value_or(Extent());
}

BundledGraph bundledFor(const GraphState& graph, ScheduleTarget target, const ExportOptions& options) {
  target.given = door::placesOf(graph.loaded.graph.modules, options.formats);
  Diagnostics diagnostics = graph.loaded.diagnostics;
  auto passes = door::scheduleGraph(graph.loaded.graph, options.pipeline, target, diagnostics);
  if (passes)
    door::reportUnrecordable(*passes, diagnostics);
  if (!passes || diagnostics.hasErrors())
    throw Error(ErrorKind::graph, diagnostics.messages());
  if (target.given.empty())
    door::refuse("the graph has neither a source nor a sink in memory; expected modules i-memory, o-memory");
  const Shaders shaders =
      shadersOf(std::move(*passes), graph.modulePath, ShaderCache(ShaderCache::defaultFolder()));
  BundledGraph made = bundled(shaders, shaders.spirv);
  made.ports = door::portsOf(shaders);
  made.places = target.given;
  made.size = sizeOfSources(made.ports);
  made.cutsAtGaps = graph.warmUp.cutsAtGaps;
  return made;
}

ScheduleTarget targetOfModel(const std::string& model, const GraphState& graph) {
  return {door::deviceModel(model), std::nullopt, graph.modulePath};
}

// The graph for the device, then one for devices that lack what that uses, if it uses anything. Returns why
// there is none.
std::string addGraphs(const GraphState& graph, const ExportOptions& options, Bundle& bundle) {
  const bool isHere = options.device != nullptr;
  bundle.graphs.push_back(bundledFor(graph,
                                     isHere
                                         ? door::targetOn(door::Access::of(*options.device), graph.modulePath)
                                         : targetOfModel(options.model, graph),
                                     options));
  const BundledGraph& made = bundle.graphs.back();
  const std::string more = vk::missingFor(made.spirv, made.lanes, {});
  if (more.empty())
    return {};
  try {
    bundle.graphs.push_back(bundledFor(graph, targetOfModel(anyDevice, graph), options));
  } catch (const Error& error) {
    return fmt::format("at {}x{} only devices with {} can run the graph; for others there is none: {}",
                       made.size.width, made.size.height, more,
                       error.messages().empty() ? error.what() : error.messages().front().text);
  }
  return {};
}

void writeFile(const std::string& path, const std::string& text) {
  PartFile part(path);
  std::ofstream file(part.name(), std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file)
    throw FileError(fmt::format("{}: the bundle can't be written", path));
  part.place();
}

}  // namespace

std::vector<std::string> exportBundle(const std::string& file, const std::vector<Graph>& graphs,
                                      const ExportOptions& options) {
  return door::guarded([&] {
    std::vector<std::string> without;
    Bundle bundle{.name = file, .maker = "lacuna " + version()};
    for (const Graph& graph : graphs)
      if (std::string why = addGraphs(*door::Access::of(graph), options, bundle); !why.empty())
        without.push_back(std::move(why));
    if (bundle.graphs.empty())
      door::refuse("exportBundle: there is no graph; expected one for each size");
    for (const BundledGraph& graph : bundle.graphs)
      if (const std::string why = contradictionIn(graph); !why.empty())
        throw std::logic_error("exportBundle: " + why);
    writeFile(file, bundleText(std::move(bundle)));
    return without;
  });
}

}  // namespace lacuna
