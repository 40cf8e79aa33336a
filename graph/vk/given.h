#pragma once
// A program's own device, buffers and images. Installed: lacuna/vulkan.h includes it.

#include <vulkan/vulkan_core.h>

#include <functional>
#include <string>
#include <vector>

namespace lacuna {

// What Lacuna asks a program's allocator for: memory that may hold buffers and images.
struct MemoryRequest {
  VkDeviceSize bytes = 0, alignment = 1;
  uint32_t type = 0;          // in VkPhysicalDeviceMemoryProperties::memoryTypes
  bool hasAddresses = false;  // allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
  bool isMapped = false;      // for the host, too: VulkanMemory::mapped
  bool isBrief = false;       // freed before the pipeline is made
};

// Its answer: a part of an allocation, or a whole one.
struct VulkanMemory {
  VkDeviceMemory memory = nullptr;  // null: there isn't as much
  VkDeviceSize offset = 0;          // a multiple of the alignment
  void* mapped = nullptr;           // the address of the offset, as long as the memory is used
  void* own = nullptr;              // the program's
};

// Called by threads that make, record or destroy what needs memory.
struct VulkanAllocator {
  std::function<VulkanMemory(const MemoryRequest&)> allocate = {};  // none: vkAllocateMemory
  std::function<void(const VulkanMemory&)> free = {};               // doesn't throw
};

// A device that the program has made. It outlives everything that is made on it.
struct VulkanDevice {
  VkInstance instance = nullptr;
  VkPhysicalDevice physicalDevice = nullptr;
  VkDevice device = nullptr;
  uint32_t queueFamily = 0;  // of the queue that frames are submitted to; with compute
  // Number of the queue that uploads constants while a pipeline is made. No other thread uses it meanwhile.
  uint32_t queue = 0;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;
  uint32_t apiVersion = VK_API_VERSION_1_2;  // VkApplicationInfo::apiVersion of the instance, or a lower one
  // As in the device's VkDeviceCreateInfo, because Vulkan can't be asked for them.
  std::vector<std::string> extensions = {};
  const VkPhysicalDeviceFeatures2* features =
      nullptr;  // with those in its pNext chain; read by the call alone
  VulkanAllocator allocator = {};
};

// Names as in Vulkan's specification: "VK_KHR_synchronization2", "scalarBlockLayout".
struct VulkanFeatures {
  std::vector<std::string> extensions = {};
  std::vector<std::string> features = {};
};

// What a VkDevice should be created with, for a graph.
struct VulkanNeeds {
  uint32_t apiVersion = VK_API_VERSION_1_2;  // the least
  VulkanFeatures needed;                     // a device without them is refused
  VulkanFeatures useful;  // of this physical device: without them the graph gets other, slower schedules
};

// The memory of a source or sink in a frame: a buffer, or an image of the format that RecordOptions state.
// Other members stay null.
struct VulkanImage {
  // Rows from the top, without gaps. Pixels take 4 bytes for one component and for all of u8; for two
  // components 4 (u16, f16) or 8 (f32); for three and four 8 (u16, f16) or 16 (f32), the fourth is ignored of
  // three. Readable to a multiple of 16 bytes. Usage STORAGE_BUFFER; of sinks TRANSFER_DST, too; of sources
  // that the graph keeps for the next frame TRANSFER_SRC.
  VkBuffer buffer = nullptr;
  VkDeviceSize offset = 0;  // a multiple of minStorageBufferOffsetAlignment
  // Usage SAMPLED for sources, STORAGE and TRANSFER_DST for sinks, TRANSFER_SRC for kept sources.
  VkImage image = nullptr;
  VkImageView view = nullptr;  // of one level and layer, with the image's format
  // When the commands run. Sinks and kept sources: GENERAL. Other sources may be SHADER_READ_ONLY_OPTIMAL or
  // another layout for sampling.
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
  int width = 0, height = 0;
};

}  // namespace lacuna
