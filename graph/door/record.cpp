#include <fmt/format.h>

#include <algorithm>

#include "graph/config/diagnostics.h"
#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/vk/given_device.h"

namespace lacuna {
namespace {

using door::PipelineState;

bool isInMemory(const ModuleInstance& module) {
  return std::ranges::any_of(module.description->nodes, &NodeDescription::memory);
}

// The same graph for sources of other sizes.
std::shared_ptr<const door::GraphState> resized(const door::GraphState& graph,
                                                const std::map<std::string, VulkanImage>& sources) {
  GraphOptions options = graph.options;
  for (auto& [name, type] : options.images) {
    if (const auto source = sources.find(name); source != sources.end()) {
      type.width = source->second.width;
      type.height = source->second.height;
    }
  }
  const std::string* text = graph.text ? &*graph.text : nullptr;
  std::shared_ptr<door::GraphState> made = door::loadGraph({graph.name, text}, options);
  door::openGraph(made);
  return made;
}

// The pipeline's graph, to be recorded.
RecordedGraph recordedGraph(const PipelineState& state, GivenPlaces places) {
  return {state.session,     &state.session->executable(),  &state.session->blocks(), state.ports,
          std::move(places), state.graph->warmUp.cutsAtGaps};
}

// The pipeline's graph for sources of other sizes.
RecordedGraph resizedIn(PipelineState& state, const std::map<std::string, VulkanImage>& sources,
                        const RecordOptions& options, const GivenPlaces& places) {
  std::unique_ptr<PipelineState> made =
      door::openPipeline(state.device, resized(*state.graph, sources), options.pipeline, places);
  state.session = std::move(made->session);
  state.graph = made->graph;
  state.plan = made->plan;
  state.ports = made->ports;
  return recordedGraph(state, places);
}

std::unique_ptr<PipelineState> openRecorded(const std::shared_ptr<door::DeviceState>& device,
                                            const std::shared_ptr<const door::GraphState>& graph,
                                            const RecordOptions& options) {
  const GivenPlaces places = door::placesOf(graph->loaded.graph.modules, options.formats);
  if (places.empty())
    door::refuse("the graph has neither a source nor a sink in memory; expected modules i-memory, o-memory");
  auto state = door::openPipeline(device, graph, options.pipeline, places);
  state->recorder = std::make_unique<FrameRecorder>(recordedGraph(*state, places), options.inFlight,
                                                    [&made = *state, options, places](const auto& sources) {
                                                      return resizedIn(made, sources, options, places);
                                                    });
  return state;
}

std::vector<FramePlane> planesOf(const RecordedFrame& frame) {
  std::vector<FramePlane> planes;
  for (const auto* images : {&frame.sources, &frame.sinks})
    for (const auto& [name, image] : *images)
      planes.push_back({name, image, images == &frame.sources});
  return planes;
}

}  // namespace

namespace door {

void record(PipelineState& state, VkCommandBuffer commands, const GivenFrame& frame) {
  guarded([&] {
    const Running running(state);
    if (!state.recorder)
      refuse("record: this pipeline runs by itself; recordedPipeline() makes one that is recorded");
    state.recorder->record(commands, frame);
  });
}

GivenPlaces placesOf(const ModuleGraph& graph, const std::map<std::string, VkFormat>& formats) {
  GivenPlaces places;
  for (const ModuleInstance& module : graph.modules)
    if (isInMemory(module))
      places[module.name()] = {};
  for (const auto& [name, format] : formats) {
    const auto place = places.find(name);
    if (place == places.end()) {
      std::vector<std::string> names;
      for (const auto& [each, unused] : places)
        names.push_back(each);
      refuse("formats: the graph has no source or sink '{}' in memory; {}", name,
             names.empty() ? "it has none at all" : suggestInstance(name, names));
    }
    const std::optional<ImageFormat> image = vk::givenFormat(format);
    if (!image)
      refuse("{}: VkFormat {} is not one that Lacuna reads or writes; vulkan.h lists them", name,
             static_cast<int>(format));
    place->second = {ResourceKind::image, *image};
  }
  return places;
}

// Of a device without its limits: everything that it offers.
FrameGraph passesOn(const vk::DeviceInfo& offered, const GraphState& graph) {
  Diagnostics diagnostics = graph.loaded.diagnostics;
  auto passes = scheduleGraph(graph.loaded.graph, {}, targetOf(offered, {}, graph.modulePath), diagnostics);
  if (!passes)
    throw Error(ErrorKind::graph, diagnostics.messages());
  return std::move(*passes);
}

}  // namespace door

VulkanNeeds vulkanNeeds(const Graph& graph, const VulkanDevice& on) {
  return door::guarded([&] {
    const vk::DeviceInfo offered = vk::offeredBy(on);
    return vk::needsOf(offered, door::passesOn(offered, *door::Access::of(graph)));
  });
}

Device givenDevice(const VulkanDevice& given, const std::string& cacheFolder) {
  VulkanDevice own = given;
  own.allocator.allocate = door::passing(given.allocator.allocate);
  try {
    return door::Access::device(std::make_shared<door::DeviceState>(own, cacheFolder));
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::noDevice, error.what());
  }
}

Pipeline recordedPipeline(Device& device, const Graph& graph, const RecordOptions& options) {
  return door::guarded([&] {
    const std::shared_ptr<door::DeviceState>& on = door::Access::of(device);
    if (!on->isGiven)
      door::refuse(
          "recordedPipeline: expected a device of givenDevice(): others have no command buffers of "
          "the program");
    if (options.inFlight < 1)
      door::refuse("recordedPipeline: RecordOptions::inFlight is {}, but must be 1 or more",
                   options.inFlight);
    return door::Access::pipeline(openRecorded(on, door::Access::of(graph), options));
  });
}

void record(Pipeline& pipeline, VkCommandBuffer commands, const RecordedFrame& frame) {
  const std::vector<FramePlane> planes = planesOf(frame);
  door::record(door::Access::of(pipeline), commands, {frame.number, frame.cuts, planes, frame.parameters});
}

}  // namespace lacuna
