#include "graph/door/lacuna/runtime.h"

#include <algorithm>
#include <deque>

#include "graph/door/c_calls.h"
#include "graph/lists.h"
#include "graph/record/bundle_pipeline.h"
#include "graph/record/shader_features.h"
#include "graph/shader/cache_file.h"
#include "graph/vk/given_device.h"
#include "graph/vk/memory_requests.h"

struct lacuna_bundle {
  std::shared_ptr<const lacuna::Bundle> bundle;
  std::vector<lacuna_bundle_size> sizes = {};
  std::deque<std::vector<lacuna_end>> ends = {};
};

namespace lacuna {
namespace {

struct PipelineOfBundle : lacuna_pipeline {
  std::unique_ptr<FrameRecorder> recorder;

  void record(VkCommandBuffer commands, const GivenFrame& frame) override {
    recorder->record(commands, frame);
  }
};

GivenFrame frameOf(const lacuna_frame& given, std::vector<FramePlane>& planes) {
  planes.clear();
  for (uint32_t i = 0; i < given.memory_count; ++i) {
    const lacuna_memory& memory = given.memory[i];
    door::checkName(memory.name);
    planes.push_back({memory.name,
                      {memory.buffer, memory.offset, memory.image, memory.view,
                       memory.layout == VK_IMAGE_LAYOUT_UNDEFINED ? VK_IMAGE_LAYOUT_GENERAL : memory.layout,
                       memory.width, memory.height}});
  }
  return {given.number, given.cuts != 0, planes, door::listOf(given.parameters, given.parameter_count)};
}

// The graph's sources or sinks.
std::vector<lacuna_end> endsOf(const BundledGraph& graph, bool areSources) {
  std::vector<lacuna_end> ends;
  for (const auto& [name, port] : graph.ports) {
    if (port.isSource != areSources || !port.isUsed())
      continue;
    const GivenPlace& place = graph.places.at(name);
    ends.push_back(
        {name.c_str(),
         place.kind == ResourceKind::image ? vk::givenFormatOf(place.format) : VK_FORMAT_UNDEFINED,
         static_cast<lacuna_channels>(port.type.channels), static_cast<lacuna_format>(port.type.format),
         static_cast<lacuna_colour>(port.type.colour), static_cast<int32_t>(port.type.extent.width),
         static_cast<int32_t>(port.type.extent.height)});
  }
  return ends;
}

lacuna_bundle* opened(Bundle bundle) {
  auto made = std::make_unique<lacuna_bundle>();
  made->bundle = std::make_shared<const Bundle>(std::move(bundle));
  for (const BundledGraph* graph : firstOfEachSize(*made->bundle)) {
    const std::vector<lacuna_end>& sources = made->ends.emplace_back(endsOf(*graph, true));
    const std::vector<lacuna_end>& sinks = made->ends.emplace_back(endsOf(*graph, false));
    made->sizes.push_back({static_cast<int32_t>(graph->size.width), static_cast<int32_t>(graph->size.height),
                           sources.data(), sinks.data(), static_cast<uint32_t>(sources.size()),
                           static_cast<uint32_t>(sinks.size())});
  }
  return made.release();
}

void add(VulkanFeatures& to, const VulkanFeatures& from, const VulkanFeatures& without) {
  for (const auto list : {&VulkanFeatures::extensions, &VulkanFeatures::features})
    for (const std::string& name : from.*list)
      if (!contains(to.*list, name) && !contains(without.*list, name))
        (to.*list).push_back(name);
}

// The last graph of each size needs the least.
std::string needsOf(const Bundle& bundle, uint32_t apiVersion) {
  VulkanFeatures needed, useful;
  for (auto graph = bundle.graphs.rbegin(); graph != bundle.graphs.rend(); ++graph)
    if (graph == bundle.graphs.rbegin() || (graph - 1)->size != graph->size)
      add(needed, vk::featuresOf(graph->spirv, apiVersion), {});
  for (const BundledGraph& graph : bundle.graphs)
    add(useful, vk::featuresOf(graph.spirv, apiVersion), needed);
  return door::linesOf("needs", needed) + door::linesOf("could use", useful);
}

lacuna_request requestOf(const MemoryRequest& request) {
  return {request.bytes,
          request.alignment,
          request.type,
          request.hasAddresses ? 1 : 0,
          request.isMapped ? 1 : 0,
          request.isBrief ? 1 : 0};
}

VulkanAllocator allocatorOf(const lacuna_vulkan& given) {
  VulkanAllocator made;
  if (given.allocate != nullptr)
    made.allocate = [allocate = given.allocate, own = given.own](const MemoryRequest& request) {
      const lacuna_request asked = requestOf(request);
      lacuna_allocation got{};
      if (allocate(own, &asked, &got) != 0)
        return VulkanMemory();
      return VulkanMemory{got.memory, got.offset, got.mapped, got.own};
    };
  if (given.free != nullptr)
    made.free = [free = given.free, own = given.own](const VulkanMemory& memory) {
      const lacuna_allocation got{memory.memory, memory.offset, memory.mapped, memory.own};
      free(own, &got);
    };
  return made;
}

// Of frames in flight.
int slotsOf(int32_t inFlight, const char* call) {
  if (inFlight < 0)
    refuseCall("{}: in_flight is {}, but must be 0 or more", call, inFlight);
  return inFlight == 0 ? 2 : inFlight;
}

Extent extentOf(int32_t width, int32_t height) {
  return {static_cast<uint32_t>(std::max(width, 0)), static_cast<uint32_t>(std::max(height, 0))};
}

}  // namespace

namespace door {

std::string& lastText() {
  thread_local std::string text;
  return text;
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
          .features = given.features,
          .allocator = allocatorOf(given)};
}

std::string linesOf(const char* what, const VulkanFeatures& features) {
  std::string text;
  for (const std::string& name : features.extensions)
    text += fmt::format("{} extension {}\n", what, name);
  for (const std::string& name : features.features)
    text += fmt::format("{} feature {}\n", what, name);
  return text;
}

}  // namespace door
}  // namespace lacuna

const char* lacuna_last_error() {
  return lacuna::door::lastText().c_str();
}

lacuna_device* lacuna_open_device(const lacuna_vulkan* given) {
  return lacuna::door::withoutExceptions<lacuna_device*>(nullptr, [&] {
    const lacuna_vulkan whole = lacuna::door::whole(given, "lacuna_open_device");
    return new lacuna_device{std::make_shared<lacuna::door::DeviceState>(
        lacuna::door::deviceOf(whole),
        whole.cache_folder == nullptr ? lacuna::defaultCacheFolder() : whole.cache_folder)};
  });
}

void lacuna_close_device(lacuna_device* device) {
  delete device;
}

lacuna_bundle* lacuna_open_bundle(const char* file) {
  return lacuna::door::withoutExceptions<lacuna_bundle*>(nullptr, [&] {
    return lacuna::opened(
        lacuna::readBundle(&lacuna::door::handleOf(file, "lacuna_open_bundle: the file's name")));
  });
}

lacuna_bundle* lacuna_open_bundle_bytes(const void* bytes, size_t count, const char* name) {
  return lacuna::door::withoutExceptions<lacuna_bundle*>(nullptr, [&] {
    const auto* text = static_cast<const char*>(bytes);
    lacuna::door::handleOf(text, "lacuna_open_bundle_bytes: the address");
    return lacuna::opened(lacuna::parseBundle({text, count}, name == nullptr ? "the bundle" : name));
  });
}

void lacuna_close_bundle(lacuna_bundle* bundle) {
  delete bundle;
}

const lacuna_bundle_size* lacuna_bundle_sizes(const lacuna_bundle* bundle, uint32_t* count) {
  return lacuna::door::withoutExceptions<const lacuna_bundle_size*>(nullptr, [&] {
    const auto& sizes = lacuna::door::handleOf(bundle, "lacuna_bundle_sizes: the bundle").sizes;
    lacuna::door::handleOf(count, "lacuna_bundle_sizes: the count") = static_cast<uint32_t>(sizes.size());
    return sizes.data();
  });
}

const char* lacuna_bundle_needs(const lacuna_bundle* bundle, uint32_t api_version) {
  return lacuna::door::withoutExceptions<const char*>(nullptr, [&] {
    const lacuna_bundle& of = lacuna::door::handleOf(bundle, "lacuna_bundle_needs: the bundle");
    lacuna::door::lastText() =
        lacuna::needsOf(*of.bundle, api_version == 0 ? VK_API_VERSION_1_2 : api_version);
    return lacuna_last_error();
  });
}

uint64_t lacuna_bundle_memory(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                              int32_t height) {
  return lacuna::door::withoutExceptions<uint64_t>(0, [&] {
    const lacuna_bundle& of = lacuna::door::handleOf(bundle, "lacuna_bundle_memory: the bundle");
    lacuna::vk::Device& on = lacuna::door::handleOf(device, "lacuna_bundle_memory: the device").state->device;
    return lacuna::memoryOf(lacuna::usableGraph(*of.bundle, lacuna::extentOf(width, height), on), on);
  });
}

uint32_t lacuna_bundle_requests(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                                int32_t height, int32_t in_flight, lacuna_request* requests, uint32_t room) {
  return lacuna::door::withoutExceptions<uint32_t>(0, [&] {
    const lacuna_bundle& of = lacuna::door::handleOf(bundle, "lacuna_bundle_requests: the bundle");
    lacuna::vk::Device& on =
        lacuna::door::handleOf(device, "lacuna_bundle_requests: the device").state->device;
    const std::vector<lacuna::MemoryRequest> all = lacuna::vk::memoryRequests(
        on, lacuna::usableGraph(*of.bundle, lacuna::extentOf(width, height), on).passes,
        lacuna::slotsOf(in_flight, "lacuna_bundle_requests"));
    for (size_t i = 0; i < std::min<size_t>(all.size(), room); ++i)
      requests[i] = lacuna::requestOf(all[i]);
    return static_cast<uint32_t>(all.size());
  });
}

lacuna_pipeline* lacuna_bundle_pipeline(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                                        int32_t height, int32_t in_flight) {
  return lacuna::door::withoutExceptions<lacuna_pipeline*>(nullptr, [&] {
    const auto& of = lacuna::door::handleOf(bundle, "lacuna_bundle_pipeline: the bundle").bundle;
    const auto& on = lacuna::door::handleOf(device, "lacuna_bundle_pipeline: the device").state;
    const lacuna::Extent size = lacuna::extentOf(width, height);
    auto made = std::make_unique<lacuna::PipelineOfBundle>();
    made->recorder = lacuna::recorderOf(of, size, on, lacuna::slotsOf(in_flight, "lacuna_bundle_pipeline"));
    return made.release();
  });
}

void lacuna_close_pipeline(lacuna_pipeline* pipeline) {
  delete pipeline;
}

int lacuna_record(lacuna_pipeline* pipeline, VkCommandBuffer commands, const lacuna_frame* frame) {
  return lacuna::door::withoutExceptions<int>(-1, [&] {
    lacuna_pipeline& on = lacuna::door::handleOf(pipeline, "lacuna_record: the pipeline");
    on.record(commands, lacuna::frameOf(lacuna::door::whole(frame, "lacuna_record"), on.planes));
    return 0;
  });
}
