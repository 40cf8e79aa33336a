// A renderer with a Vulkan device of its own: it traces a path a pixel into its images, lets Lacuna record
// svgf, from a bundle, into the same command buffer, and copies the result out. Two frames are in flight.
// Without arguments it checks that the result has far less noise; renderer FILE.ppm also writes the last
// frame.

#include <vulkan/vulkan.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "lacuna/runtime.h"

constexpr int width = 160, height = 96, frames = 24, inFlight = 2;
constexpr float nearPlane = 0.1F;  // svgf.cfg has it, too

void require(VkResult result, const char* what) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(what) + ": VkResult " + std::to_string(result));
}

// What is NULL has a message.
template <class Made>
Made* opened(Made* made) {
  if (made == nullptr)
    throw std::runtime_error(lacuna_last_error());
  return made;
}

// What svgf.cfg takes and gives, with the formats of this renderer, as CMakeLists.txt has them, too.
struct Plane {
  const char* name;  // of the graph's source or sink
  VkFormat format;
};
const Plane planes[] = {
    {"i-memory:noisy", VK_FORMAT_R16G16B16A16_SFLOAT}, {"i-memory:albedo", VK_FORMAT_R8G8B8A8_UNORM},
    {"i-memory:normal", VK_FORMAT_R8G8B8A8_UNORM},     {"i-memory:depth", VK_FORMAT_R32_SFLOAT},
    {"i-memory:motion", VK_FORMAT_R16G16_SFLOAT},      {"o-memory:clean", VK_FORMAT_R8G8B8A8_UNORM},
    {"o-memory:raw", VK_FORMAT_R8G8B8A8_UNORM}};  // without svgf, to compare with
constexpr uint32_t traced = 5;                    // of them

class Renderer {
 public:
  Renderer() : bundle_(opened(lacuna_open_bundle(BUNDLE))) {
    makeDevice();
    makeCommands();
    for (const Plane& plane : planes)
      makeImage(plane);
    makeTracer();
    pipeline_ =
        opened(lacuna_bundle_pipeline(bundle_, opened(lacuna_open_device(&given_)), width, height, inFlight));
  }
  ~Renderer() {  // the program ends, and its driver frees the rest
    vkDeviceWaitIdle(given_.device);
  }

  void render(int number) {
    const int slot = number % inFlight;
    VkCommandBuffer commands = begin(slot);
    order(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0);  // the frame before has read the images
    trace(commands, number);
    lacuna_frame frame{sizeof frame};
    frame.number = number;
    frame.memory = images_.data();
    frame.memory_count = static_cast<uint32_t>(images_.size());
    const auto before = std::chrono::steady_clock::now();
    if (lacuna_record(pipeline_, commands, &frame) != 0)
      throw std::runtime_error(lacuna_last_error());
    recordTimes.push_back(std::chrono::steady_clock::now() - before);
    copyOut(commands, slot);
    submit(slot);
  }

  std::vector<std::chrono::duration<double, std::micro>> recordTimes;

  // The last frame, sRGB: of o-memory:clean, then of o-memory:raw.
  std::vector<unsigned char> result() {
    vkDeviceWaitIdle(given_.device);
    const unsigned char* pixels = read_[(frames - 1) % inFlight];
    return {pixels, pixels + 2 * bytes};
  }

 private:
  static constexpr size_t bytes = size_t{4} * width * height;

  void makeDevice() {
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = given_.api_version = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    require(vkCreateInstance(&info, nullptr, &given_.instance), "an instance");
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(given_.instance, &count, &given_.physical_device) < 0 || count == 0)
      throw std::runtime_error("there is no Vulkan device");
    given_.get_instance_proc_addr = vkGetInstanceProcAddr;
    std::printf("%s", opened(lacuna_bundle_needs(bundle_, given_.api_version)));
    features13_.synchronization2 = VK_TRUE;
    features12_.pNext = &features13_;
    features12_.uniformBufferStandardLayout = features12_.scalarBlockLayout = VK_TRUE;
    features_.pNext = &features12_;
    features_.features.shaderStorageImageExtendedFormats = VK_TRUE;
    features_.features.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};  // family 0: with compute
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo device{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    device.pNext = given_.features = &features_;
    device.queueCreateInfoCount = 1;
    device.pQueueCreateInfos = &queue;
    require(vkCreateDevice(given_.physical_device, &device, nullptr, &given_.device), "a device");
    vkGetDeviceQueue(given_.device, 0, 0, &queue_);
  }

  void makeCommands() {
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    require(vkCreateCommandPool(given_.device, &pool, nullptr, &info.commandPool), "a command pool");
    info.commandBufferCount = inFlight;
    require(vkAllocateCommandBuffers(given_.device, &info, commands_), "command buffers");
    for (int slot = 0; slot < inFlight; ++slot) {
      const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr,
                                    VK_FENCE_CREATE_SIGNALED_BIT};
      require(vkCreateFence(given_.device, &fence, nullptr, &done_[slot]), "a fence");
      VkBufferCreateInfo buffer{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
      buffer.size = 2 * bytes;
      buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
      require(vkCreateBuffer(given_.device, &buffer, nullptr, &host_[slot]), "a buffer");
      VkMemoryRequirements needs{};
      vkGetBufferMemoryRequirements(given_.device, host_[slot], &needs);
      VkDeviceMemory memory =
          allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
      require(vkBindBufferMemory(given_.device, host_[slot], memory, 0), "a buffer's memory");
      void* mapped = nullptr;
      require(vkMapMemory(given_.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapped memory");
      read_[slot] = static_cast<unsigned char*>(mapped);
    }
  }

  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(given_.physical_device, &memory);
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    while ((needs.memoryTypeBits >> info.memoryTypeIndex & 1U) == 0 ||
           (memory.memoryTypes[info.memoryTypeIndex].propertyFlags & flags) != flags)
      ++info.memoryTypeIndex;
    VkDeviceMemory made = nullptr;
    require(vkAllocateMemory(given_.device, &info, nullptr, &made), "memory");
    return made;
  }

  void makeImage(const Plane& plane) {
    lacuna_memory made{.name = plane.name, .width = width, .height = height};
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = plane.format;
    info.extent = {width, height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    require(vkCreateImage(given_.device, &info, nullptr, &made.image), plane.name);
    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(given_.device, made.image, &needs);
    require(vkBindImageMemory(given_.device, made.image, allocate(needs, 0), 0), plane.name);
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = made.image;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = plane.format;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    require(vkCreateImageView(given_.device, &view, nullptr, &made.view), plane.name);
    images_.push_back(made);
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = made.image;
    barrier.subresourceRange = view.subresourceRange;
    VkCommandBuffer commands = begin(0);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &barrier);
    submit(0);
  }

  void makeTracer() {
    std::ifstream file(TRACER, std::ios::binary);
    const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
    VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module.codeSize = code.size();
    module.pCode = reinterpret_cast<const uint32_t*>(code.data());
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    require(vkCreateShaderModule(given_.device, &module, nullptr, &info.stage.module), "a shader");
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t i = 0; i < traced; ++i)
      bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    setInfo.bindingCount = traced;
    setInfo.pBindings = bindings.data();
    VkDescriptorSetLayout setLayout = nullptr;
    require(vkCreateDescriptorSetLayout(given_.device, &setInfo, nullptr, &setLayout), "a set's layout");
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = layout.pushConstantRangeCount = 1;
    layout.pSetLayouts = &setLayout;
    layout.pPushConstantRanges = &range;
    require(vkCreatePipelineLayout(given_.device, &layout, nullptr, &layout_), "a pipeline's layout");
    info.layout = layout_;
    require(vkCreateComputePipelines(given_.device, nullptr, 1, &info, nullptr, &tracer_), "a pipeline");
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, traced};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorSetAllocateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    require(vkCreateDescriptorPool(given_.device, &pool, nullptr, &set.descriptorPool), "a descriptor pool");
    set.descriptorSetCount = 1;
    set.pSetLayouts = &setLayout;
    require(vkAllocateDescriptorSets(given_.device, &set, &set_), "a descriptor set");
    for (uint32_t i = 0; i < traced; ++i) {
      const VkDescriptorImageInfo image{nullptr, images_[i].view, VK_IMAGE_LAYOUT_GENERAL};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set_;
      write.dstBinding = i;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
      write.pImageInfo = &image;
      vkUpdateDescriptorSets(given_.device, 1, &write, 0, nullptr);
    }
  }

  VkCommandBuffer begin(int slot) {
    require(vkWaitForFences(given_.device, 1, &done_[slot], VK_TRUE, UINT64_MAX), "a frame");
    require(vkResetFences(given_.device, 1, &done_[slot]), "a fence");
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    require(vkBeginCommandBuffer(commands_[slot], &info), "commands");
    return commands_[slot];
  }

  static void order(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags used) {
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, written, used};
    vkCmdPipelineBarrier(commands, before, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  }

  void trace(VkCommandBuffer commands, int number) const {
    const struct {
      int frame, width, height;
      float near;
    } push{number, width, height, nearPlane};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, tracer_);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(commands, (width + 7) / 8, (height + 7) / 8, 1);
  }

  void copyOut(VkCommandBuffer commands, int slot) {
    order(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_TRANSFER_READ_BIT);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {width, height, 1};
    for (size_t i = traced; i < images_.size(); ++i) {
      vkCmdCopyImageToBuffer(commands, images_[i].image, VK_IMAGE_LAYOUT_GENERAL, host_[slot], 1, &region);
      region.bufferOffset += bytes;
    }
    order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_HOST_READ_BIT);
  }

  void submit(int slot) {
    require(vkEndCommandBuffer(commands_[slot]), "commands");
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands_[slot];
    require(vkQueueSubmit(queue_, 1, &info, done_[slot]), "a submission");
  }

  lacuna_bundle* const bundle_;
  lacuna_vulkan given_{sizeof given_};
  VkPhysicalDeviceFeatures2 features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan12Features features12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features features13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkQueue queue_ = nullptr;
  VkCommandBuffer commands_[inFlight]{};
  VkFence done_[inFlight]{};
  VkBuffer host_[inFlight]{};
  unsigned char* read_[inFlight]{};
  std::vector<lacuna_memory> images_;  // as planes
  VkPipelineLayout layout_ = nullptr;
  VkPipeline tracer_ = nullptr;
  VkDescriptorSet set_ = nullptr;
  lacuna_pipeline* pipeline_ = nullptr;
};

// The mean difference of neighbours in a row, in steps of 8 bits.
double roughness(const unsigned char* pixels) {
  double sum = 0.0;
  for (size_t i = 4; i < size_t{4} * width * height; ++i)
    sum += std::abs(pixels[i] - pixels[i - 4]);
  return sum / (4.0 * width * height);
}

int main(int count, char** arguments) try {
  Renderer renderer;
  for (int frame = 0; frame < frames; ++frame)
    renderer.render(frame);
  const std::vector<unsigned char> pixels = renderer.result();
  const double clean = roughness(pixels.data()), raw = roughness(pixels.data() + pixels.size() / 2);
  std::ranges::sort(renderer.recordTimes);
  std::printf("record(): %.0f us\n", renderer.recordTimes[frames / 2].count());
  std::printf("mean difference of neighbours: %.1f noisy, %.1f denoised\n", raw, clean);
  if (count > 1) {
    std::ofstream file(arguments[1], std::ios::binary);
    file << "P6 " << width << " " << height << " 255\n";
    for (size_t i = 0; i < pixels.size() / 2; ++i)
      if (i % 4 != 3)
        file.put(static_cast<char>(pixels[i]));
  }
  return clean < 0.5 * raw ? 0 : 1;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
