#include "graph/door/lacuna/vulkan_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "graph/door/errors.h"
#include "graph/door/lacuna/vulkan.h"

struct lacuna_device {
  lacuna::Device device;
};

struct lacuna_pipeline {
  lacuna::Pipeline pipeline;
};

namespace lacuna {
namespace {

thread_local std::string lastText;  // of an error, or of needs

// The structure as this library knows it: a program's may be shorter, because it is older.
template <class Structure>
Structure whole(const Structure* given, const char* what) {
  Structure structure{};
  if (given == nullptr || given->size == 0)
    door::refuse("{}: expected a structure whose `size` is set, found {}", what,
                 given == nullptr ? "NULL" : "a size of 0");
  std::memcpy(&structure, given, std::min(given->size, sizeof structure));
  return structure;
}

std::vector<std::string> listOf(const char* const* words, uint32_t count) {
  return {words, words + count};
}

void checkName(const char* name) {
  if (name == nullptr)
    door::refuse("a source or sink has no name; expected one as \"i-memory:01\"");
}

VulkanDevice deviceOf(const lacuna_vulkan& given) {
  return {.instance = given.instance,
          .physicalDevice = given.physical_device,
          .device = given.device,
          .queueFamily = given.queue_family,
          .queue = given.queue,
          .getInstanceProcAddr = given.get_instance_proc_addr,
          .apiVersion = given.api_version == 0 ? VK_API_VERSION_1_2 : given.api_version,
          .extensions = listOf(given.extensions, given.extension_count),
          .features = given.features};
}

Graph graphOf(const lacuna_graph& given) {
  GraphOptions options;
  options.frames = Frames::none();
  options.modules = listOf(given.module_folders, given.module_folder_count);
  options.parameters = listOf(given.parameters, given.parameter_count);
  for (uint32_t i = 0; i < given.source_count; ++i) {
    const lacuna_end& source = given.sources[i];
    checkName(source.name);
    options.images[source.name] = {source.width, source.height, static_cast<PixelChannels>(source.channels),
                                   static_cast<PixelFormat>(source.format),
                                   static_cast<PixelColour>(source.colour)};
  }
  if ((given.file == nullptr) == (given.text == nullptr))
    door::refuse("lacuna_graph: expected a file or a text, found {}",
                 given.file == nullptr ? "none" : "both");
  return given.text != nullptr ? Graph::fromText(given.text, options) : Graph::fromFile(given.file, options);
}

RecordOptions optionsOf(const lacuna_graph& given) {
  RecordOptions options;
  const auto add = [&](const lacuna_end* ends, uint32_t count) {
    for (const lacuna_end* end = ends; end != ends + count; ++end) {
      checkName(end->name);
      if (end->image != VK_FORMAT_UNDEFINED)
        options.formats[end->name] = end->image;
    }
  };
  add(given.sources, given.source_count);
  add(given.sinks, given.sink_count);
  options.inFlight = given.in_flight == 0 ? options.inFlight : given.in_flight;
  return options;
}

RecordedFrame frameOf(const lacuna_frame& given, const Pipeline& pipeline) {
  RecordedFrame frame{.number = given.number, .cuts = given.cuts != 0};
  frame.parameters = listOf(given.parameters, given.parameter_count);
  const std::vector<std::string> sinks = pipeline.sinks();
  for (uint32_t i = 0; i < given.memory_count; ++i) {
    const lacuna_memory& memory = given.memory[i];
    checkName(memory.name);
    const bool isSink = std::ranges::find(sinks, memory.name) != sinks.end();
    (isSink ? frame.sinks : frame.sources)[memory.name] = {
        memory.buffer,
        memory.offset,
        memory.image,
        memory.view,
        memory.layout == VK_IMAGE_LAYOUT_UNDEFINED ? VK_IMAGE_LAYOUT_GENERAL : memory.layout,
        memory.width,
        memory.height};
  }
  return frame;
}

std::string textOf(const char* what, const VulkanFeatures& features) {
  std::string text;
  for (const std::string& name : features.extensions)
    text += fmt::format("{} extension {}\n", what, name);
  for (const std::string& name : features.features)
    text += fmt::format("{} feature {}\n", what, name);
  return text;
}

// `failed` after an exception, whose text is kept.
template <class Result, class Work>
Result withoutExceptions(Result failed, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    lastText = error.what();
  } catch (...) {
    lastText = "unknown error";
  }
  return failed;
}

}  // namespace
}  // namespace lacuna

const char* lacuna_last_error() {
  return lacuna::lastText.c_str();
}

const char* lacuna_needs(const lacuna_vulkan* on, const lacuna_graph* graph) {
  return lacuna::withoutExceptions<const char*>(nullptr, [&] {
    const lacuna::VulkanNeeds needs =
        lacuna::vulkanNeeds(lacuna::graphOf(lacuna::whole(graph, "lacuna_needs")),
                            lacuna::deviceOf(lacuna::whole(on, "lacuna_needs")));
    lacuna::lastText = lacuna::textOf("needs", needs.needed) + lacuna::textOf("could use", needs.useful);
    return lacuna::lastText.c_str();
  });
}

lacuna_device* lacuna_open_device(const lacuna_vulkan* given) {
  return lacuna::withoutExceptions<lacuna_device*>(nullptr, [&] {
    const lacuna_vulkan whole = lacuna::whole(given, "lacuna_open_device");
    const std::string cache =
        whole.cache_folder == nullptr ? lacuna::DeviceOptions::defaultCacheFolder() : whole.cache_folder;
    return new lacuna_device{lacuna::givenDevice(lacuna::deviceOf(whole), cache)};
  });
}

void lacuna_close_device(lacuna_device* device) {
  delete device;
}

lacuna_pipeline* lacuna_open_pipeline(lacuna_device* device, const lacuna_graph* graph) {
  return lacuna::withoutExceptions<lacuna_pipeline*>(nullptr, [&] {
    if (device == nullptr)
      lacuna::door::refuse("lacuna_open_pipeline: the device is NULL");
    const lacuna_graph whole = lacuna::whole(graph, "lacuna_open_pipeline");
    return new lacuna_pipeline{
        lacuna::recordedPipeline(device->device, lacuna::graphOf(whole), lacuna::optionsOf(whole))};
  });
}

void lacuna_close_pipeline(lacuna_pipeline* pipeline) {
  delete pipeline;
}

int lacuna_record(lacuna_pipeline* pipeline, VkCommandBuffer commands, const lacuna_frame* frame) {
  return lacuna::withoutExceptions<int>(-1, [&] {
    if (pipeline == nullptr)
      lacuna::door::refuse("lacuna_record: the pipeline is NULL");
    const lacuna_frame whole = lacuna::whole(frame, "lacuna_record");
    lacuna::record(pipeline->pipeline, commands, lacuna::frameOf(whole, pipeline->pipeline));
    return 0;
  });
}
