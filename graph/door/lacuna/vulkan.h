#ifndef LACUNA_VULKAN_H
#define LACUNA_VULKAN_H
// Lacuna inside a renderer: on its VkDevice, with its buffers and images as sources and sinks, and recorded
// into its command buffers. Nothing is copied to the host or submitted. It needs Vulkan's headers.
//
//   const lacuna::VulkanNeeds needs = lacuna::vulkanNeeds(graph, mine);  // before vkCreateDevice
//   lacuna::Device device = lacuna::givenDevice(mine);
//   lacuna::RecordOptions options;
//   options.formats["i-memory:noisy"] = VK_FORMAT_R16G16B16A16_SFLOAT;   // others are buffers
//   lacuna::Pipeline pipeline = lacuna::recordedPipeline(device, graph, options);
//   lacuna::RecordedFrame frame{.number = 7};
//   frame.sources["i-memory:noisy"] = {.image = noisy, .view = view, .width = 1920, .height = 1080};
//   frame.sinks["o-memory:clean"] = {.buffer = clean, .width = 1920, .height = 1080};
//   lacuna::record(pipeline, commands, frame);                           // then the program submits
//
// Errors, threads and ownership are as in lacuna.h. The program's VkDevice outlives all objects here, and a
// pipeline outlives its frames on the device.

#include "graph/record/recorded_frame.h"
#include "graph/vk/given.h"
#include "lacuna.h"

namespace lacuna {

// The extensions and features that a device for this graph needs or could use. Of `on` the instance, its
// version and function, and the physical device are read.
VulkanNeeds vulkanNeeds(const Graph& graph, const VulkanDevice& on);

// The program's device as one of Lacuna's. `cacheFolder`: as in DeviceOptions.
Device givenDevice(const VulkanDevice& given,
                   const std::string& cacheFolder = DeviceOptions::defaultCacheFolder());

struct RecordOptions {
  PipelineOptions pipeline = {};
  // Of the sources and sinks that are images; all others are buffers of the type that GraphOptions::images or
  // Pipeline::imageType() states. Sources: with enough components; values are rounded to the source's type as
  // they are read. Sinks: one that holds the type.
  //   both: R16G16B16A16_SFLOAT, R32G32B32A32_SFLOAT, R16_SFLOAT, R32_SFLOAT, R16G16_SFLOAT, R32G32_SFLOAT,
  //     R8G8B8A8_UNORM, R16G16B16A16_UNORM
  //   sources: B8G8R8A8_UNORM, A2B10G10R10_UNORM_PACK32, B10G11R11_UFLOAT_PACK32, D32_SFLOAT
  std::map<std::string, VkFormat> formats = {};
  // record() may be called for a frame when the commands of the frame this many calls before have ended.
  int inFlight = 2;
};

// A graph whose sources and sinks are all in memory: `i-memory` and `o-memory`. It has no native code that
// runs on the host, and fits the device's memory without tiles.
Pipeline recordedPipeline(Device& device, const Graph& graph, const RecordOptions& options = {});

// Adds the frame's barriers and dispatches to a primary command buffer that is being recorded. Frames are
// submitted to one queue of the device's family, in the order of these calls, each once.
//
// Before them the program makes the sources' contents available to sampled and storage reads of compute
// shaders (and transfers, where the graph keeps them for the next frame); writes by earlier compute shaders
// and transfers of the queue are waited for here. Afterwards compute shaders or transfers have written the
// sinks, which the program waits for.
//
// If a source's size is another one than before, the pipeline is built again for all new sizes, and history
// begins again. This takes as long as its construction; its earlier memory is freed `inFlight` calls later.
void record(Pipeline& pipeline, VkCommandBuffer commands, const RecordedFrame& frame);

// ---- Without a compiler ----

// Devices that needn't be here: "amd", "any", "nvidia"...
std::vector<std::string> deviceModels();
inline constexpr const char* anyDevice = "any";  // a GPU with what all have

struct ExportOptions {
  PipelineOptions pipeline = {};
  std::map<std::string, VkFormat> formats = {};  // as in RecordOptions
  // Schedules are for this device; if none, for the model. Where they use more than every device has, the
  // bundle also has those for any, and the one is taken that the renderer's device can run.
  Device* device = nullptr;
  std::string model = anyDevice;
};

// Writes a graph, which was loaded for each of the sizes of its sources, as a file from which
// lacuna/runtime.h records it. All that recordedPipeline() refuses is refused here, too. Returns a sentence
// for each size at which other devices than those of the schedules can't run the graph: which, and why.
std::vector<std::string> exportBundle(const std::string& file, const std::vector<Graph>& graphs,
                                      const ExportOptions& options = {});

}  // namespace lacuna

#endif
