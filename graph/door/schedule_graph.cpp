#include "graph/door/load_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/compile/compile.h"
#include "graph/config/lexer.h"
#include "graph/door/state.h"
#include "graph/frame/limits.h"
#include "graph/frame/stages.h"
#include "graph/lists.h"
#include "graph/load/load.h"
#include "graph/vk/executable.h"

namespace lacuna::door {
namespace {

// The module instance of one filter; "": for all.
std::string ownerOf(const std::string& word) {
  return word.find('=') == std::string::npos ? "" : splitAtEquals(word).first;
}

void checkWord(const std::string& word, Diagnostics& diagnostics) {
  const bool isNameless = word.empty() || word.back() == '=';
  if (isNameless || (word.find('=') == std::string::npos && word.find(':') != std::string::npos)) {
    diagnostics.error(
        {}, fmt::format("--schedule {}: expected the name of a schedule, or module:instance=NAME", word),
        isNameless
            ? "`lacuna plan --verbose` lists the schedules of each filter"
            : fmt::format("such as --schedule {}=rows4; `lacuna plan --verbose` lists the schedules", word));
  }
}

// The module instance of --schedule module:instance=NAME.
void checkOwner(const NodeGraph& graph, const std::string& name, Diagnostics& diagnostics) {
  std::vector<std::string> filters;
  for (const Node& node : graph.nodes)
    if (hasSchedules(graph, node))
      filters.push_back(instanceOf(graph, node).name());
  if (graph.modules.find(name) == nullptr) {
    diagnostics.error({}, fmt::format("--schedule {}=...: the graph has no module '{}'", name, name),
                      didYouMean(name, filters));
  } else if (!contains(filters, name)) {
    diagnostics.error({},
                      fmt::format("--schedule {}=...: {} has no filter that schedules are for", name, name),
                      didYouMean(name, filters));
  }
}

// Whether all resources together take more, without placing them; 0 if unknown.
bool mayExceed(const Passes& passes, uint64_t most) {
  uint64_t bytes = 0;
  for (const Resource& resource : passes.resources)
    bytes += contentBytes(resource);
  return most > 0 && bytes > most;
}

}  // namespace

ScheduleTarget targetOf(const vk::DeviceInfo& device, const std::string& cacheFolder,
                        const std::vector<std::string>& modulePath) {
  const TuningCache cache(cacheFolder, device, modulePath);
  ScheduleTarget target{device.limits, cache, modulePath};
  target.model.bandwidth = cache.bandwidth();
  target.memoryBytes = device.memoryBytes;
  return target;
}

ScheduleTarget targetOn(std::shared_ptr<DeviceState> device, const std::vector<std::string>& modulePath) {
  ScheduleTarget target = targetOf(device->device.info(), device->cacheFolder, modulePath);
  target.memoryNeeds = [device](const Passes& passes) { return vk::memoryNeeds(device->device, passes); };
  return target;
}

FrameGraph ScheduleTarget::placed(FrameGraph passes) const {
  MemoryNeeds needs = memoryNeeds ? memoryNeeds(passes) : MemoryNeeds();
  return place(std::move(passes), std::move(needs));
}

CompileOptions compileOptions(const PipelineOptions& options, const ScheduleTarget& target) {
  CompileOptions compile;
  compile.device = target.model;
  compile.fuses = options.fuses;
  compile.see = target.see;
  compile.given = target.given;
  compile.know = [cache = target.cache, modulePath = target.modulePath](const NodeGraph& filters) {
    return cache ? cache->know(filters) : workOf(filters, modulePath);
  };
  for (const std::string& word : options.schedules) {
    const auto [name, value] = splitAtEquals(word);
    const std::string owner = ownerOf(word);
    compile.schedules[owner] = owner.empty() ? name : value;
  }
  return compile;
}

std::optional<FrameGraph> scheduleGraph(NodeGraph graph, const PipelineOptions& options,
                                        const ScheduleTarget& target, Diagnostics& diagnostics, int frames) {
  std::set<std::string> owners;
  for (const std::string& word : options.schedules) {
    checkWord(word, diagnostics);
    const std::string owner = ownerOf(word);
    if (!owners.insert(owner).second) {
      diagnostics.error({}, fmt::format("--schedule {}: another schedule is given for {}", word,
                                        owner.empty() ? "all filters" : owner));
    }
  }
  if (diagnostics.hasErrors())
    return std::nullopt;
  CompileOptions compile = compileOptions(options, target);
  compile.frames = frames;
  for (const auto& [name, schedule] : compile.schedules)
    if (!name.empty())
      checkOwner(graph, name, diagnostics);
  const MemoryBound bound{options.memoryBytes > 0 ? options.memoryBytes : target.memoryBytes,
                          [&target](FrameGraph passes) { return target.placed(std::move(passes)); }};
  if (!target.given.empty()) {
    FrameGraph passes = passesOf(graph, compile, diagnostics);
    if (!diagnostics.hasErrors() && options.memoryBytes > 0) {
      const FrameGraph placed = target.placed(passes);
      if (placed.arenaBytes > options.memoryBytes)
        reportMemory(placed, options.memoryBytes, "its sources and sinks are the program's", diagnostics);
    }
    return diagnostics.hasErrors() ? std::nullopt : std::optional(std::move(passes));
  }
  if (options.memoryBytes == 0) {
    Diagnostics found = diagnostics;
    FrameGraph passes = passesOf(graph, compile, found);
    if (found.hasErrors() ? beyondLimits(passes, target.model).empty() : !mayExceed(passes, bound.most)) {
      diagnostics = std::move(found);
      return diagnostics.hasErrors() ? std::nullopt : std::optional(std::move(passes));
    }
  }
  FrameGraph passes = passesWithin(graph, compile, bound, diagnostics);
  return diagnostics.hasErrors() ? std::nullopt : std::optional(std::move(passes));
}

std::optional<FrameGraph> frameOf(NodeGraph graph, const PipelineOptions& options,
                                  const ScheduleTarget& target, Diagnostics& diagnostics, int frames) {
  auto passes = scheduleGraph(std::move(graph), options, target, diagnostics, frames);
  return passes ? std::optional(target.see("frame", target.placed(std::move(*passes)))) : std::nullopt;
}

}  // namespace lacuna::door
