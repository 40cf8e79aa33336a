#include "graph/record/bundle_pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/frame/limits.h"
#include "graph/frame/stages.h"
#include "graph/record/call_error.h"
#include "graph/record/pipeline_files.h"
#include "graph/record/shader_features.h"

namespace lacuna {
namespace {

struct BundlePipeline {
  std::shared_ptr<door::DeviceState> device;  // outlives the executable
  std::unique_ptr<vk::Executable> executable;
  ParameterBlocks blocks = {};
};

std::string sizesOf(const Bundle& bundle) {
  std::vector<std::string> sizes;
  for (const BundledGraph* graph : firstOfEachSize(bundle))
    sizes.push_back(fmt::format("{}x{}", graph->size.width, graph->size.height));
  return joinChoices(sizes);
}

RecordedGraph recordedOf(const BundledGraph& graph, const std::shared_ptr<door::DeviceState>& device) {
  const auto made = std::make_shared<BundlePipeline>();
  made->device = device;
  made->executable = std::make_unique<vk::Executable>(
      device->device, graph.passes, graph.spirv, pipelineFiles(device->cacheFolder, device->device.info()));
  return {made, made->executable.get(), &made->blocks, graph.ports, graph.places, graph.cutsAtGaps};
}

// The size of which all of these sources are.
Extent sizeOf(const Bundle& bundle, const std::map<std::string, VulkanImage>& sources) {
  for (const BundledGraph& graph : bundle.graphs) {
    const bool fits = std::ranges::all_of(sources, [&](const auto& source) {
      const MemoryPort& port = portNamed(graph.ports, source.first, true);
      return !port.isUsed() || hasSizeOf(source.second, port.type.extent);
    });
    if (fits)
      return graph.size;
  }
  const auto& [name, image] = *sources.begin();
  refuseCall("record: {} has {}x{} pixels; {} was exported for {}, for all sources alike", name, image.width,
             image.height, bundle.name, sizesOf(bundle));
}

}  // namespace

std::vector<const BundledGraph*> firstOfEachSize(const Bundle& bundle) {
  std::vector<const BundledGraph*> first;
  for (const BundledGraph& graph : bundle.graphs)
    if (std::ranges::none_of(first, [&](const BundledGraph* each) { return each->size == graph.size; }))
      first.push_back(&graph);
  return first;
}

const BundledGraph& usableGraph(const Bundle& bundle, Extent size, const vk::Device& device) {
  std::string missing;
  for (const BundledGraph& graph : bundle.graphs) {
    if (graph.size != size)
      continue;
    missing = vk::missingFor(graph.spirv, graph.lanes, device.info().limits);
    if (missing.empty())
      for (const BeyondLimit& beyond : beyondLimits(graph.passes, device.info().limits))
        missing =
            fmt::format("more than its limits: {} {}", graph.passes.passes[beyond.pass].name, beyond.what);
    if (missing.empty())
      return graph;
  }
  if (missing.empty())
    refuseCall("{} has no graph for {}x{}; it was exported for {}", bundle.name, size.width, size.height,
               sizesOf(bundle));
  refuseCall(
      "{} needs {}; the device '{}' lacks that or a part of it, or was made without; lacuna_bundle_needs() "
      "lists all",
      bundle.name, missing, device.info().name);
}

uint64_t memoryOf(const BundledGraph& graph, vk::Device& device) {
  return place(graph.passes, vk::memoryNeeds(device, graph.passes)).arenaBytes;
}

std::unique_ptr<FrameRecorder> recorderOf(const std::shared_ptr<const Bundle>& bundle, Extent size,
                                          const std::shared_ptr<door::DeviceState>& device, int inFlight) {
  return std::make_unique<FrameRecorder>(
      recordedOf(usableGraph(*bundle, size, device->device), device), inFlight,
      [bundle, device](const std::map<std::string, VulkanImage>& sources) {
        return recordedOf(usableGraph(*bundle, sizeOf(*bundle, sources), device->device), device);
      });
}

}  // namespace lacuna
