// The same in a window, until it is closed.

#include "renderer.h"
// After Vulkan's header, so that it declares glfwCreateWindowSurface().
#include <GLFW/glfw3.h>

#include <cstdio>

constexpr uint32_t scale = 6;  // pixels of the window for one of the picture

class Window {
 public:
  explicit Window(const char* bundle)
      : renderer_(bundle, instanceExtensions(), {VK_KHR_SWAPCHAIN_EXTENSION_NAME}),
        size_(scale * renderer_.extent.width, scale * renderer_.extent.height) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
    window_ = glfwCreateWindow(static_cast<int>(size_.width), static_cast<int>(size_.height), bundle, nullptr,
                               nullptr);
    VkSurfaceKHR surface = nullptr;
    if (window_ == nullptr ||
        glfwCreateWindowSurface(*renderer_.instance, window_, nullptr, &surface) != VK_SUCCESS)
      throw std::runtime_error("GLFW makes no window for Vulkan here");
    surface_ = vk::raii::SurfaceKHR(renderer_.instance, surface);
    if (!renderer_.physical.getSurfaceSupportKHR(0, *surface_))
      throw std::runtime_error("this device doesn't show pictures in windows");
    makeSwapchain();
  }
  ~Window() { renderer_.device.waitIdle(); }

  void run() {
    for (int frame = 0; !glfwWindowShouldClose(window_); ++frame) {
      glfwPollEvents();
      renderer_.render(frame);
      show();
    }
  }

 private:
  static std::vector<const char*> instanceExtensions() {
    uint32_t count = 0;
    const char** names = glfwInit() ? glfwGetRequiredInstanceExtensions(&count) : nullptr;
    return names != nullptr ? std::vector(names, names + count)
                            : throw std::runtime_error("there is no display");
  }

  void makeSwapchain() {
    const vk::raii::Device& device = renderer_.device;
    const auto can = renderer_.physical.getSurfaceCapabilitiesKHR(*surface_);
    const auto formats = renderer_.physical.getSurfaceFormatsKHR(*surface_);
    // The picture has sRGB values already, so not a format that converts to them.
    auto format = std::ranges::find(formats, vk::Format::eB8G8R8A8Unorm, &vk::SurfaceFormatKHR::format);
    if (format == formats.end())
      format = formats.begin();
    swapchain_ = device.createSwapchainKHR({{},
                                            *surface_,
                                            std::max(can.minImageCount, 2U),
                                            format->format,
                                            format->colorSpace,
                                            size_,
                                            1,
                                            vk::ImageUsageFlagBits::eTransferDst});
    images_ = swapchain_.getImages();
    pool_ = device.createCommandPool({vk::CommandPoolCreateFlagBits::eResetCommandBuffer});
    commands_ = std::move(vk::raii::CommandBuffers(device, {*pool_, vk::CommandBufferLevel::ePrimary, 1})[0]);
    acquired_ = device.createFence({});
    copied_ = device.createSemaphore({});
  }

  void show() {
    const vk::raii::Device& device = renderer_.device;
    const uint32_t index = swapchain_.acquireNextImage(UINT64_MAX, {}, *acquired_).second;
    (void)device.waitForFences(*acquired_, true, UINT64_MAX);
    device.resetFences(*acquired_);
    const vk::Image image = images_[index];
    commands_.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    become(image, vk::ImageLayout::eUndefined, vk::ImageLayout::eTransferDstOptimal);
    const vk::ImageSubresourceLayers colour(vk::ImageAspectFlagBits::eColor, 0, 0, 1);
    const auto corner = [](vk::Extent2D of) { return vk::Offset3D(int(of.width), int(of.height), 1); };
    commands_.blitImage(
        renderer_.picture(), vk::ImageLayout::eGeneral, image, vk::ImageLayout::eTransferDstOptimal,
        vk::ImageBlit(colour, {{{}, corner(renderer_.extent)}}, colour, {{{}, corner(size_)}}),
        vk::Filter::eLinear);
    become(image, vk::ImageLayout::eTransferDstOptimal, vk::ImageLayout::ePresentSrcKHR);
    commands_.end();
    renderer_.queue.submit(vk::SubmitInfo({}, {}, *commands_, *copied_));
    (void)renderer_.queue.presentKHR({*copied_, *swapchain_, index});
    renderer_.queue.waitIdle();  // one command buffer and one semaphore suffice so
  }

  // After all that was written before: the picture, too.
  void become(vk::Image image, vk::ImageLayout from, vk::ImageLayout to) {
    using Access = vk::AccessFlagBits;
    const vk::MemoryBarrier written(Access::eMemoryWrite, Access::eMemoryRead | Access::eMemoryWrite);
    const vk::ImageMemoryBarrier barrier(Access::eMemoryWrite, Access::eMemoryRead | Access::eMemoryWrite,
                                         from, to, 0, 0, image,
                                         {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1});
    commands_.pipelineBarrier(vk::PipelineStageFlagBits::eAllCommands,
                              vk::PipelineStageFlagBits::eAllCommands, {}, written, {}, barrier);
  }

  Renderer renderer_;
  vk::Extent2D size_;
  GLFWwindow* window_ = nullptr;
  vk::raii::SurfaceKHR surface_ = nullptr;
  vk::raii::SwapchainKHR swapchain_ = nullptr;
  std::vector<vk::Image> images_;
  vk::raii::CommandPool pool_ = nullptr;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::Fence acquired_ = nullptr;
  vk::raii::Semaphore copied_ = nullptr;
};

int main(int count, char** words) try {
  if (count != 2)
    throw std::runtime_error("usage: window BUNDLE");
  Window(words[1]).run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
