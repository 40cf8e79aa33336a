#pragma once
// A renderer in miniature: a Vulkan device of its own under validation, images and buffers, command buffers.

#include <volk.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/vulkan.h"

namespace lacuna::test {

// A plane of numbers in the renderer's memory: a buffer if the format is VK_FORMAT_UNDEFINED.
struct PlaneType {
  ImageType type;
  VkFormat format = VK_FORMAT_UNDEFINED;
};

class Renderer;

class Surface {
 public:
  Surface(Renderer& renderer, const PlaneType& plane);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  // Copies between this and its own host memory, when the commands run.
  void bring(VkCommandBuffer commands, const std::vector<float>& numbers);
  void fetch(VkCommandBuffer commands);
  std::vector<float> fetched() const;  // after the commands of fetch()
  VulkanImage memory() const;

 private:
  ConstImageView hostView() const;
  Renderer& renderer_;
  PlaneType plane_;
  size_t components_;
  size_t pixelBytes_;
  VkBuffer buffer_ = nullptr, host_ = nullptr;
  VkImage image_ = nullptr;
  VkImageView view_ = nullptr;
  std::vector<VkDeviceMemory> memories_;
  std::byte* mapped_ = nullptr;
};

class Renderer {
 public:
  // With the features that every graph needs, and no others; `halves`: and storageBuffer16BitAccess.
  explicit Renderer(bool halves = false);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  const VulkanDevice& given() const { return given_; }
  VkDevice device() const { return given_.device; }
  uint32_t memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const;
  // Runs the commands and waits.
  void run(const std::function<void(VkCommandBuffer)>& record);
  // Two command buffers that are used in turn: waits for the one before the last.
  VkCommandBuffer begin();
  void submit();
  void finish();
  // Of the validation layers so far.
  std::vector<std::string> messages;
  // Copies that Lacuna has recorded.
  static int copies;

 private:
  VkPhysicalDeviceSynchronization2Features synchronization_{};
  VkPhysicalDevice16BitStorageFeatures halves_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{};
  VkPhysicalDeviceFeatures2 core_{};
  VulkanDevice given_;
  VkDebugUtilsMessengerEXT messenger_ = nullptr;
  VkQueue queue_ = nullptr;
  VkCommandPool pool_ = nullptr;
  VkCommandBuffer commands_[2]{};
  VkFence done_[2]{};
  int frames_ = 0;
};

}  // namespace lacuna::test
