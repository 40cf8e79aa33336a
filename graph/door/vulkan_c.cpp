#include "graph/door/lacuna/vulkan_c.h"

#include <algorithm>

#include "graph/door/c_calls.h"
#include "graph/door/errors.h"
#include "graph/door/lacuna/vulkan.h"
#include "graph/door/state.h"

namespace lacuna {
namespace {

using door::checkName;
using door::listOf;

struct PipelineOfGraph : lacuna_pipeline {
  explicit PipelineOfGraph(Pipeline made) : pipeline(std::move(made)) {}
  Pipeline pipeline;

  void record(VkCommandBuffer commands, const GivenFrame& frame) override {
    door::record(door::Access::of(pipeline), commands, frame);
  }
};

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

}  // namespace
}  // namespace lacuna

const char* lacuna_needs(const lacuna_vulkan* on, const lacuna_graph* graph) {
  return lacuna::door::withoutExceptions<const char*>(nullptr, [&] {
    const lacuna::VulkanNeeds needs =
        lacuna::vulkanNeeds(lacuna::graphOf(lacuna::door::whole(graph, "lacuna_needs")),
                            lacuna::door::deviceOf(lacuna::door::whole(on, "lacuna_needs")));
    lacuna::door::lastText() =
        lacuna::door::linesOf("needs", needs.needed) + lacuna::door::linesOf("could use", needs.useful);
    return lacuna_last_error();
  });
}

lacuna_pipeline* lacuna_open_pipeline(lacuna_device* device, const lacuna_graph* graph) {
  return lacuna::door::withoutExceptions<lacuna_pipeline*>(nullptr, [&] {
    lacuna::Device on = lacuna::door::Access::device(
        lacuna::door::handleOf(device, "lacuna_open_pipeline: the device").state);
    const lacuna_graph whole = lacuna::door::whole(graph, "lacuna_open_pipeline");
    return new lacuna::PipelineOfGraph(
        lacuna::recordedPipeline(on, lacuna::graphOf(whole), lacuna::optionsOf(whole)));
  });
}
