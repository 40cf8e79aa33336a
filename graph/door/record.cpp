#include <fmt/format.h>

#include <algorithm>

#include "graph/config/diagnostics.h"
#include "graph/config/lexer.h"
#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/load/load.h"
#include "graph/vk/given_device.h"

namespace lacuna {
namespace {

using door::MemoryPort;
using door::PipelineState;
using door::RecordedState;

bool isInMemory(const ModuleInstance& module) {
  return std::ranges::any_of(module.description->nodes, &NodeDescription::memory);
}

// The places of all sources and sinks in memory.
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
      door::refuse("formats: the graph has no source or sink '{}' in memory; {}", name,
                   names.empty() ? "it has none at all" : suggestInstance(name, names));
    }
    const std::optional<ImageFormat> image = vk::givenFormat(format);
    if (!image)
      door::refuse("{}: VkFormat {} is not one that Lacuna reads or writes; vulkan.h lists them", name,
                   static_cast<int>(format));
    place->second = {ResourceKind::image, *image};
  }
  return places;
}

// The sources and sinks that transfers read or write.
std::set<std::string> copiedEnds(const Passes& passes) {
  std::set<std::string> copied;
  for (const Pass& pass : passes.passes)
    for (const Access& access : pass.accesses)
      if (access.point == AccessPoint::transfer)
        copied.insert(passes.resources[access.resource].given);
  return copied;
}

std::unique_ptr<PipelineState> openRecorded(const std::shared_ptr<door::DeviceState>& device,
                                            const std::shared_ptr<const door::GraphState>& graph,
                                            const RecordOptions& options) {
  const GivenPlaces places = placesOf(graph->loaded.graph.modules, options.formats);
  if (places.empty())
    door::refuse("the graph has neither a source nor a sink in memory; expected modules i-memory, o-memory");
  auto state = door::openPipeline(device, graph, options.pipeline, places);
  state->session->reserveSlots(options.inFlight);
  state->recorded = RecordedState{options, places, copiedEnds(state->session->schedule()), {}, 0, {}};
  return state;
}

void setParameter(PipelineState& state, const std::string& text) {
  const auto [name, value] = splitAtEquals(text);
  const size_t last = name.rfind(':');
  if (last == std::string::npos || text.find('=') == std::string::npos)
    door::refuse("record: parameter '{}'; expected module:instance:parameter=value", text);
  const std::string owner = name.substr(0, last), parameter = name.substr(last + 1);
  const Passes& passes = state.session->schedule();
  const ModuleGraph& graph = passes.graph.modules;
  const auto isField = [&](ModuleId id, const BlockField& field) {
    return field.module == id && field.parameter == parameter;
  };
  for (const ModuleId id : graph.modules.ids()) {
    const bool isRead =
        graph.modules[id].name() == owner && std::ranges::any_of(passes.passes, [&](const Pass& pass) {
          return std::ranges::any_of(pass.block, [&](const BlockField& field) { return isField(id, field); });
        });
    if (!isRead)
      continue;
    Diagnostics diagnostics;
    const Location where{diagnostics.addOption(text)};
    ParameterValues values = convertValues(*graph.modules[id].parameter(parameter).description,
                                           {parameter, where}, splitWords(value, where), diagnostics);
    if (values.empty())
      throw Error(ErrorKind::call, diagnostics.messages());
    state.session->set(id, parameter, std::move(values));
    return;
  }
  door::refuse("record: no shader of the graph reads a parameter '{}' while frames run; {}", name,
               graph.find(owner) == nullptr ? "it has no such module"
                                            : "one that changes the graph needs a pipeline of its own");
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

bool hasSizeOf(const VulkanImage& image, const ValueType& type) {
  return image.width == static_cast<int>(type.extent.width) &&
         image.height == static_cast<int>(type.extent.height);
}

void resizeIfNeeded(PipelineState& state, const std::map<std::string, VulkanImage>& sources) {
  const bool isChanged = std::ranges::any_of(sources, [&](const auto& each) {
    const MemoryPort& port = door::portNamed(state, each.first, true);
    return !port.valueName.empty() && !hasSizeOf(each.second, port.type);
  });
  if (!isChanged)
    return;
  RecordedState& recorded = *state.recorded;
  std::unique_ptr<PipelineState> made =
      openRecorded(state.device, resized(*state.graph, sources), recorded.options);
  for (const std::string& parameter : recorded.parameters)
    setParameter(*made, parameter);
  recorded.retired.emplace_back(std::move(state.session), recorded.options.inFlight);
  state.session = std::move(made->session);
  state.graph = made->graph;
  state.plan = made->plan;
  state.ports = made->ports;
  recorded.copied = made->recorded->copied;
  state.last.reset();
}

void checkMemory(const PipelineState& state, const std::string& name, const VulkanImage& image) {
  const MemoryPort& port = door::portNamed(state, name);
  const RecordedState& recorded = *state.recorded;
  const bool isImage = recorded.places.at(name).kind == ResourceKind::image;
  if (!hasSizeOf(image, port.type)) {
    door::refuse("record: {} has {}x{} pixels, but the graph's has {}x{}", name, image.width, image.height,
                 port.type.extent.width, port.type.extent.height);
  }
  const bool isCopied = recorded.copied.contains(name);
  if (!isImage && (image.buffer == nullptr || image.view != nullptr))
    door::refuse("record: {} is a buffer, by RecordOptions::formats; expected VulkanImage::buffer alone",
                 name);
  if (isImage && (image.view == nullptr || image.buffer != nullptr))
    door::refuse("record: {} is an image, by RecordOptions::formats; expected VulkanImage::view, no buffer",
                 name);
  if (isImage && isCopied && image.image == nullptr)
    door::refuse("record: {} is copied, so it needs VulkanImage::image beside its view", name);
  if (isImage && (isCopied || !port.isSource) && image.layout != VK_IMAGE_LAYOUT_GENERAL) {
    door::refuse("record: {} has VkImageLayout {}; expected VK_IMAGE_LAYOUT_GENERAL, because {}", name,
                 static_cast<int>(image.layout),
                 port.isSource ? "the next frame reads it, too" : "it is written");
  }
}

// Those of all sources and sinks with a value.
std::map<std::string, VulkanImage> checkedMemory(const PipelineState& state, const RecordedFrame& frame) {
  std::map<std::string, VulkanImage> given;
  for (const auto* images : {&frame.sources, &frame.sinks}) {
    for (const auto& [name, image] : *images) {
      if (door::portNamed(state, name, images == &frame.sources).valueName.empty())
        continue;
      checkMemory(state, name, image);
      given[name] = image;
    }
  }
  for (const auto& [name, port] : state.ports)
    if (!port.valueName.empty() && !given.contains(name))
      door::refuse("record: frame {} has no memory for {}; every frame needs it", frame.number, name);
  return given;
}

void recordFrame(PipelineState& state, VkCommandBuffer commands, const RecordedFrame& frame) {
  if (!state.recorded)
    door::refuse("record: this pipeline runs by itself; recordedPipeline() makes one that is recorded");
  if (commands == nullptr)
    door::refuse("record: the command buffer is null");
  const int index = door::indexOf(state, frame.number);
  RecordedState& recorded = *state.recorded;
  std::erase_if(recorded.retired, [](auto& each) { return --each.second <= 0; });
  resizeIfNeeded(state, frame.sources);
  const std::map<std::string, VulkanImage> given = checkedMemory(state, frame);
  for (const std::string& parameter : frame.parameters) {
    setParameter(state, parameter);
    std::erase_if(recorded.parameters, [&](const std::string& earlier) {
      return splitAtEquals(earlier).first == splitAtEquals(parameter).first;
    });
    recorded.parameters.push_back(parameter);
  }
  const bool follows = door::followsLast(state, index) && !frame.cuts;
  state.session->recordInto(commands, index, recorded.calls % recorded.options.inFlight, !follows, given);
  ++recorded.calls;
  state.last = index;
}

}  // namespace

namespace door {

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
  try {
    return door::Access::device(std::make_shared<door::DeviceState>(given, cacheFolder));
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
  door::guarded([&] {
    PipelineState& state = door::Access::of(pipeline);
    const door::Running running(state);
    recordFrame(state, commands, frame);
  });
}

}  // namespace lacuna
