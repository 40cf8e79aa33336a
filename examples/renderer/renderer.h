#pragma once
// A renderer with a Vulkan device of its own: it traces a path a pixel into its images, and lets the filter
// record itself into the same command buffer.

#include <array>
#include <chrono>

#include "filter.h"
#include "trace.h"  // trace.comp as SPIR-V

constexpr uint32_t inFlight = 2;
constexpr float nearPlane = 0.1F;  // planes.cfg has it, too

// What planes.cfg takes and gives, in this renderer's formats.
struct Plane {
  const char* name;
  vk::Format format;
};
constexpr std::array<Plane, 7> planes{{{"i-memory:noisy", vk::Format::eR16G16B16A16Sfloat},
                                       {"i-memory:albedo", vk::Format::eR8G8B8A8Unorm},
                                       {"i-memory:normal", vk::Format::eR8G8B8A8Unorm},
                                       {"i-memory:depth", vk::Format::eR32Sfloat},
                                       {"i-memory:motion", vk::Format::eR16G16Sfloat},
                                       {"o-memory:clean", vk::Format::eR8G8B8A8Unorm},
                                       {"o-memory:raw", vk::Format::eR8G8B8A8Unorm}}};  // not denoised
constexpr uint32_t traced = 5, clean = 5;  // the first ones are traced; from `clean` on they are shown

class Renderer {
 public:
  vk::raii::Context context;
  vk::raii::Instance instance = nullptr;
  vk::raii::PhysicalDevice physical = nullptr;
  vk::raii::Device device = nullptr;
  vk::raii::Queue queue = nullptr;                         // the first one of family 0
  vk::Extent2D extent;                                     // the bundle's
  std::chrono::duration<double, std::micro> recordTime{};  // of the last frame

  using Names = std::vector<const char*>;
  explicit Renderer(const char* bundle, const Names& ofInstance = {}, const Names& ofDevice = {})
      : filter_(bundle) {
    extent = filter_.size();
    makeDevice(ofInstance, ofDevice);
    makeTracer();
    std::vector<Filter::Image> given;
    for (const Plane& plane : planes) {
      const Image& image = images_.emplace_back(makeImage(plane.format));
      given.push_back({plane.name, plane.format, *image.image, *image.view});
    }
    makeFrames();
    const VkPhysicalDeviceFeatures2& features = features_.get<>();
    filter_.start(
        {sizeof(lacuna_vulkan), *instance, *physical, *device, vkGetInstanceProcAddr, &features,
         ofDevice.data(), static_cast<uint32_t>(ofDevice.size()), 0, 0, VK_API_VERSION_1_3, nullptr},
        given, inFlight);
  }
  ~Renderer() { device.waitIdle(); }

  // Waits for the frame before the last one; the others run on.
  void render(int number) {
    const Frame& frame = ended(number);
    device.resetFences(*frame.done);
    frame.commands.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    trace(frame.commands, number);
    const auto before = std::chrono::steady_clock::now();
    filter_.record(*frame.commands, number);
    recordTime = std::chrono::steady_clock::now() - before;
    copyOut(frame);
    frame.commands.end();
    queue.submit(vk::SubmitInfo({}, {}, *frame.commands), *frame.done);
  }

  // Of one of the last two frames: the planes that are shown, RGBA of 8 bits, one after the other.
  std::span<const unsigned char> pixels(int number) const { return {ended(number).pixels, bytes_}; }
  vk::Image picture() const { return *images_[clean].image; }  // of the last frame; in the layout GENERAL

 private:
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  static constexpr auto compute = vk::PipelineBindPoint::eCompute;
  static constexpr vk::ImageSubresourceRange whole{vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1};
  struct Image {
    vk::raii::DeviceMemory memory = nullptr;
    vk::raii::Image image = nullptr;
    vk::raii::ImageView view = nullptr;
  };
  struct Frame {
    vk::raii::CommandBuffer commands = nullptr;
    vk::raii::Fence done = nullptr;
    vk::raii::DeviceMemory memory = nullptr;
    vk::raii::Buffer host = nullptr;
    const unsigned char* pixels = nullptr;
  };
  struct Push {  // as in trace.comp
    int frame;
    vk::Extent2D extent;
    float near;
  };

  // An engine switches on what lacuna_bundle_needs() lists; this one all that the device has.
  void makeDevice(const Names& ofInstance, Names ofDevice) {
    const vk::ApplicationInfo application({}, {}, {}, {}, VK_API_VERSION_1_3);
    instance = context.createInstance({{}, &application, {}, ofInstance});
    physical = instance.enumeratePhysicalDevices().at(0);
    (*physical).getFeatures2(&features_.get<>(), *physical.getDispatcher());
    features_.get<>().features.robustBufferAccess = false;
    const float priority = 1.0F;
    const vk::DeviceQueueCreateInfo queues({}, 0, 1, &priority);
    ofDevice.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    device = physical.createDevice({{}, queues, {}, ofDevice, nullptr, &features_.get<>()});
    queue = device.getQueue(0, 0);
  }

  void makeTracer() {
    std::array<vk::DescriptorSetLayoutBinding, traced> bindings;
    for (uint32_t i = 0; i < traced; ++i)
      bindings[i] = {i, vk::DescriptorType::eStorageImage, 1, vk::ShaderStageFlagBits::eCompute};
    set_ = device.createDescriptorSetLayout(
        {vk::DescriptorSetLayoutCreateFlagBits::ePushDescriptorKHR, bindings});
    const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0, sizeof(Push));
    layout_ = device.createPipelineLayout({{}, *set_, range});
    const auto shader = device.createShaderModule({{}, traceShader});
    const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *shader, "main");
    tracer_ = device.createComputePipeline(nullptr, {{}, stage, *layout_});
  }

  vk::raii::DeviceMemory allocate(const vk::MemoryRequirements& needs, vk::MemoryPropertyFlags flags) const {
    const vk::PhysicalDeviceMemoryProperties has = physical.getMemoryProperties();
    uint32_t type = 0;
    while ((needs.memoryTypeBits >> type & 1U) == 0 || (has.memoryTypes[type].propertyFlags & flags) != flags)
      ++type;
    return device.allocateMemory({needs.size, type});
  }

  Image makeImage(vk::Format format) const {
    using Usage = vk::ImageUsageFlagBits;
    vk::ImageCreateInfo info({}, vk::ImageType::e2D, format, {extent.width, extent.height, 1}, 1, 1);
    info.usage = Usage::eStorage | Usage::eSampled | Usage::eTransferSrc | Usage::eTransferDst;
    Image made{.image = device.createImage(info)};
    made.memory = allocate(made.image.getMemoryRequirements(), vk::MemoryPropertyFlagBits::eDeviceLocal);
    made.image.bindMemory(*made.memory, 0);
    made.view = device.createImageView({{}, *made.image, vk::ImageViewType::e2D, format, {}, whole});
    return made;
  }

  void makeFrames() {
    using Memory = vk::MemoryPropertyFlagBits;
    bytes_ = (planes.size() - clean) * 4 * extent.width * extent.height;
    pool_ = device.createCommandPool({vk::CommandPoolCreateFlagBits::eResetCommandBuffer});
    for (Frame& frame : frames_) {
      frame.commands =
          std::move(vk::raii::CommandBuffers(device, {*pool_, vk::CommandBufferLevel::ePrimary, 1})[0]);
      frame.done = device.createFence({vk::FenceCreateFlagBits::eSignaled});
      frame.host = device.createBuffer({{}, bytes_, vk::BufferUsageFlagBits::eTransferDst});
      frame.memory =
          allocate(frame.host.getMemoryRequirements(), Memory::eHostVisible | Memory::eHostCoherent);
      frame.host.bindMemory(*frame.memory, 0);
      frame.pixels = static_cast<const unsigned char*>(frame.memory.mapMemory(0, bytes_));
    }
  }

  const Frame& ended(int number) const {
    const Frame& frame = frames_[static_cast<uint32_t>(number) % inFlight];
    (void)device.waitForFences(*frame.done, true, UINT64_MAX);
    return frame;
  }

  void trace(const vk::raii::CommandBuffer& commands, int number) const {
    std::vector<vk::DescriptorImageInfo> written;
    for (const Image& each : images_) {
      written.emplace_back(nullptr, *each.view, vk::ImageLayout::eGeneral);
      // Contents are overwritten, after the frame before has read them.
      const vk::ImageMemoryBarrier renewed({}, Access::eShaderWrite | Access::eTransferWrite, {},
                                           vk::ImageLayout::eGeneral, 0, 0, *each.image, whole);
      commands.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer,
                               Stage::eComputeShader | Stage::eTransfer, {}, {}, {}, renewed);
    }
    written.resize(traced);
    commands.bindPipeline(compute, *tracer_);
    commands.pushDescriptorSetKHR(
        compute, *layout_, 0, vk::WriteDescriptorSet({}, 0, 0, vk::DescriptorType::eStorageImage, written));
    commands.pushConstants<Push>(*layout_, vk::ShaderStageFlagBits::eCompute, 0,
                                 Push{number, extent, nearPlane});
    commands.dispatch((extent.width + 7) / 8, (extent.height + 7) / 8, 1);
  }

  void copyOut(const Frame& frame) const {
    const vk::MemoryBarrier written(Access::eShaderWrite | Access::eTransferWrite, Access::eTransferRead);
    frame.commands.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer, Stage::eTransfer, {}, written,
                                   {}, {});
    vk::BufferImageCopy region(0, 0, 0, {vk::ImageAspectFlagBits::eColor, 0, 0, 1}, {},
                               {extent.width, extent.height, 1});
    for (size_t i = clean; i < planes.size(); ++i) {
      frame.commands.copyImageToBuffer(*images_[i].image, vk::ImageLayout::eGeneral, *frame.host, region);
      region.bufferOffset += bytes_ / (planes.size() - clean);
    }
    const vk::MemoryBarrier copied(Access::eTransferWrite, Access::eHostRead);
    frame.commands.pipelineBarrier(Stage::eTransfer, Stage::eHost, {}, copied, {}, {});
  }

  vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                     vk::PhysicalDeviceVulkan12Features, vk::PhysicalDeviceVulkan13Features>
      features_;

  std::vector<Image> images_;  // as planes
  vk::raii::CommandPool pool_ = nullptr;
  std::array<Frame, inFlight> frames_;
  vk::DeviceSize bytes_ = 0;  // of the planes that are shown
  vk::raii::DescriptorSetLayout set_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::Pipeline tracer_ = nullptr;
  Filter filter_;
};
