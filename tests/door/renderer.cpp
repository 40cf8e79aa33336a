#include "tests/door/renderer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "tests/door/embedder.h"

namespace lacuna::test {
namespace {

void require(VkResult result, const char* what) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + std::to_string(result));
}

VKAPI_ATTR VkBool32 VKAPI_CALL keep(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                    VkDebugUtilsMessageTypeFlagsEXT types,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
  if ((types & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) == 0)
    static_cast<std::vector<std::string>*>(messages)->push_back(data->pMessage);
  return VK_FALSE;
}

// Functions that count, in place of the device's.
template <auto& original, class Function>
struct Counting;
template <auto& original, class... Args>
struct Counting<original, void (*)(Args...)> {
  static void call(Args... args) {
    ++Renderer::copies;
    original(args...);
  }
};
template <auto& original>
PFN_vkVoidFunction counting() {
  return reinterpret_cast<PFN_vkVoidFunction>(
      Counting<original, std::remove_reference_t<decltype(original)>>::call);
}

PFN_vkVoidFunction VKAPI_CALL deviceFunctionOf(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkCmdCopyBuffer") == 0)
    return counting<::vkCmdCopyBuffer>();
  if (std::strcmp(name, "vkCmdCopyImage") == 0)
    return counting<::vkCmdCopyImage>();
  if (std::strcmp(name, "vkCmdCopyBufferToImage") == 0)
    return counting<::vkCmdCopyBufferToImage>();
  if (std::strcmp(name, "vkCmdCopyImageToBuffer") == 0)
    return counting<::vkCmdCopyImageToBuffer>();
  return vkGetDeviceProcAddr(device, name);
}

PFN_vkVoidFunction VKAPI_CALL functionOf(VkInstance instance, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(deviceFunctionOf);
  return vkGetInstanceProcAddr(instance, name);
}

// The device that the other tests have.
VkPhysicalDevice sharedPhysical(VkInstance instance) {
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> all(count);
  vkEnumeratePhysicalDevices(instance, &count, all.data());
  for (VkPhysicalDevice each : all) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(each, &properties);
    if (properties.deviceName == sharedDevice().description().name)
      return each;
  }
  throw std::runtime_error("the tests' device is missing");
}

constexpr VkImageSubresourceRange wholeImage = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

void order(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
           VkPipelineStageFlags after, VkAccessFlags read) {
  const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, written, read};
  vkCmdPipelineBarrier(commands, before, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

int Renderer::copies = 0;

Renderer::Renderer(bool halves) {
  sharedDevice();
  require(volkInitialize(), "volk");
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation{};
  validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &enabled;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  const bool validates = std::getenv("LACUNA_TEST_NO_VALIDATION") == nullptr;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = validates ? &validation : nullptr;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = validates ? 1 : 0;
  info.ppEnabledLayerNames = &layer;
  info.enabledExtensionCount = validates ? 2 : 0;
  info.ppEnabledExtensionNames = extensions;
  require(vkCreateInstance(&info, nullptr, &given_.instance), "an instance");
  volkLoadInstance(given_.instance);
  if (validates) {
    VkDebugUtilsMessengerCreateInfoEXT messenger{};
    messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = keep;
    messenger.pUserData = &messages;
    require(vkCreateDebugUtilsMessengerEXT(given_.instance, &messenger, nullptr, &messenger_), "a messenger");
  }
  given_.physicalDevice = sharedPhysical(given_.instance);

  synchronization_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES;
  synchronization_.synchronization2 = VK_TRUE;
  halves_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  halves_.pNext = &synchronization_;
  halves_.storageBuffer16BitAccess = VK_TRUE;
  vulkan12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  vulkan12_.pNext = halves ? static_cast<void*>(&halves_) : &synchronization_;
  vulkan12_.uniformBufferStandardLayout = VK_TRUE;
  vulkan12_.scalarBlockLayout = VK_TRUE;
  core_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  core_.pNext = &vulkan12_;
  core_.features.shaderStorageImageExtendedFormats = VK_TRUE;
  core_.features.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
  const float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  given_.extensions = {VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME};
  const char* extension = given_.extensions.front().c_str();
  VkDeviceCreateInfo device{};
  device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  device.pNext = &core_;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  device.enabledExtensionCount = 1;
  device.ppEnabledExtensionNames = &extension;
  require(vkCreateDevice(given_.physicalDevice, &device, nullptr, &given_.device), "a device");
  volkLoadDevice(given_.device);
  given_.getInstanceProcAddr = functionOf;
  given_.features = &core_;
  vkGetDeviceQueue(given_.device, 0, 0, &queue_);
  const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                     VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, 0};
  require(vkCreateCommandPool(given_.device, &pool, nullptr, &pool_), "a pool");
  const VkCommandBufferAllocateInfo buffers{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                            VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
  require(vkAllocateCommandBuffers(given_.device, &buffers, commands_), "command buffers");
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
  for (VkFence& each : done_)
    require(vkCreateFence(given_.device, &fence, nullptr, &each), "a fence");
}

Renderer::~Renderer() {
  vkDeviceWaitIdle(given_.device);
  for (VkFence each : done_)
    vkDestroyFence(given_.device, each, nullptr);
  vkDestroyCommandPool(given_.device, pool_, nullptr);
  vkDestroyDevice(given_.device, nullptr);
  if (messenger_ != nullptr)
    vkDestroyDebugUtilsMessengerEXT(given_.instance, messenger_, nullptr);
  vkDestroyInstance(given_.instance, nullptr);
  for (const std::string& message : messages)
    ADD_FAILURE() << message;
}

uint32_t Renderer::memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const {
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(given_.physicalDevice, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((allowed >> i & 1U) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  throw std::runtime_error("no such memory");
}

VkCommandBuffer Renderer::begin() {
  const int slot = frames_ % 2;
  require(vkWaitForFences(given_.device, 1, &done_[slot], VK_TRUE, UINT64_MAX), "a wait");
  require(vkResetFences(given_.device, 1, &done_[slot]), "a fence");
  const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                      VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, nullptr};
  require(vkBeginCommandBuffer(commands_[slot], &info), "commands");
  return commands_[slot];
}

void Renderer::submit() {
  const int slot = frames_++ % 2;
  require(vkEndCommandBuffer(commands_[slot]), "commands");
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_[slot];
  require(vkQueueSubmit(queue_, 1, &info, done_[slot]), "a submission");
}

void Renderer::finish() {
  require(vkWaitForFences(given_.device, 2, done_, VK_TRUE, UINT64_MAX), "a wait");
}

void Renderer::run(const std::function<void(VkCommandBuffer)>& record) {
  record(begin());
  submit();
  finish();
}

Surface::Surface(Renderer& renderer, const PlaneType& plane)
    : renderer_(renderer),
      plane_(plane),
      components_(plane.type.channels == PixelChannels::y || plane.type.channels == PixelChannels::depth ? 1
                  : plane.type.channels == PixelChannels::mv                                             ? 2
                                                             : 4) {
  const size_t number = plane.type.format == PixelFormat::u8    ? 1
                        : plane.type.format == PixelFormat::f32 ? 4
                                                                : 2;
  // Lacuna's own pixels are whole words.
  pixelBytes_ =
      plane.format == VK_FORMAT_UNDEFINED ? std::max<size_t>(4, number * components_) : number * components_;
  const VkDeviceSize bytes =
      (pixelBytes_ * static_cast<size_t>(plane.type.width * plane.type.height) + 15) / 16 * 16;
  const auto allocate = [&](const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
    const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size,
                                    renderer.memoryType(needs.memoryTypeBits, wanted)};
    memories_.push_back(nullptr);
    require(vkAllocateMemory(renderer.device(), &info, nullptr, &memories_.back()), "memory");
    return memories_.back();
  };
  const auto makeBuffer = [&](VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted) {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes;
    info.usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer made = nullptr;
    require(vkCreateBuffer(renderer.device(), &info, nullptr, &made), "a buffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(renderer.device(), made, &needs);
    require(vkBindBufferMemory(renderer.device(), made, allocate(needs, wanted), 0), "memory");
    return made;
  };
  host_ = makeBuffer(0, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  void* mapped = nullptr;
  require(vkMapMemory(renderer.device(), memories_.back(), 0, VK_WHOLE_SIZE, 0, &mapped), "mapped memory");
  mapped_ = static_cast<std::byte*>(mapped);
  if (plane.format == VK_FORMAT_UNDEFINED) {
    buffer_ = makeBuffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    return;
  }
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = plane.format;
  info.extent = {static_cast<uint32_t>(plane.type.width), static_cast<uint32_t>(plane.type.height), 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  require(vkCreateImage(renderer.device(), &info, nullptr, &image_), "an image");
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(renderer.device(), image_, &needs);
  require(
      vkBindImageMemory(renderer.device(), image_, allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
      "memory");
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = image_;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = plane.format;
  view.subresourceRange = wholeImage;
  require(vkCreateImageView(renderer.device(), &view, nullptr, &view_), "a view");
  renderer.run([&](VkCommandBuffer commands) {
    VkImageMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image_;
    barrier.subresourceRange = wholeImage;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &barrier);
  });
}

Surface::~Surface() {
  vkDestroyImageView(renderer_.device(), view_, nullptr);
  vkDestroyImage(renderer_.device(), image_, nullptr);
  vkDestroyBuffer(renderer_.device(), buffer_, nullptr);
  vkDestroyBuffer(renderer_.device(), host_, nullptr);
  for (VkDeviceMemory each : memories_)
    vkFreeMemory(renderer_.device(), each, nullptr);
}

ConstImageView Surface::hostView() const {
  return {.pixels = mapped_,
          .width = plane_.type.width,
          .height = plane_.type.height,
          .order = components_ == 1   ? ChannelOrder::x
                   : components_ == 2 ? ChannelOrder::xy
                                      : ChannelOrder::rgba,
          .format = plane_.type.format,
          .pixelBytes = pixelBytes_};
}

void Surface::bring(VkCommandBuffer commands, const std::vector<float>& numbers) {
  const ConstImageView host = hostView();
  copy({.pixels = numbers.data(), .width = host.width, .height = host.height, .order = host.order},
       {mapped_, host.width, host.height, host.order, host.format, 0, host.pixelBytes});
  // The frame before may still read this.
  order(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, VK_PIPELINE_STAGE_TRANSFER_BIT, 0);
  if (buffer_ != nullptr) {
    const VkBufferCopy region{0, 0, pixelBytes_ * static_cast<size_t>(host.width * host.height)};
    vkCmdCopyBuffer(commands, host_, buffer_, 1, &region);
    return;
  }
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {static_cast<uint32_t>(host.width), static_cast<uint32_t>(host.height), 1};
  vkCmdCopyBufferToImage(commands, host_, image_, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

void Surface::fetch(VkCommandBuffer commands) {
  order(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  if (buffer_ != nullptr) {
    const VkBufferCopy region{0, 0,
                              pixelBytes_ * static_cast<size_t>(plane_.type.width * plane_.type.height)};
    vkCmdCopyBuffer(commands, buffer_, host_, 1, &region);
  } else {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {static_cast<uint32_t>(plane_.type.width), static_cast<uint32_t>(plane_.type.height),
                          1};
    vkCmdCopyImageToBuffer(commands, image_, VK_IMAGE_LAYOUT_GENERAL, host_, 1, &region);
  }
  order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
        VK_ACCESS_HOST_READ_BIT);
}

std::vector<float> Surface::fetched() const {
  const ConstImageView host = hostView();
  std::vector<float> numbers(static_cast<size_t>(host.width * host.height) * components_);
  copy(host, {.pixels = numbers.data(), .width = host.width, .height = host.height, .order = host.order});
  return numbers;
}

VulkanImage Surface::memory() const {
  return {.buffer = buffer_,
          .image = image_,
          .view = view_,
          .width = plane_.type.width,
          .height = plane_.type.height};
}

}  // namespace lacuna::test
