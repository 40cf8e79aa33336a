#include "graph/vk/hosted_memory.h"

#include <volk.h>

#include <algorithm>
#include <vector>

#include "graph/vk/commands.h"
#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

constexpr VkImageSubresourceLayers layersOfImage{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
constexpr VkPipelineStageFlags2 computeOrCopy =
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkAccessFlags2 readOrWrite = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

// A buffer in host memory, which is the source or sink, or is copied to and from an image of the device's.
struct HostedOne {
  HostedOne(const Device::Impl& device, const std::string& name, const HostedEnd& end)
      : isSource(end.isSource),
        extent{end.extent.width, end.extent.height, 1},
        pixelBytes(end.pixelBytes),
        // Shaders read whole groups of 16 bytes.
        host(device, (pixelCount(end.extent) * end.pixelBytes + 15) / 16 * 16,
             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
             end.isSource ? HostUse::write : HostUse::read, name) {
    std::ranges::fill(host.bytes(), std::byte{0});
    if (!end.image)
      return;
    Resource resource;
    resource.name = name;
    resource.kind = ResourceKind::image;
    resource.imageFormat = *end.image;
    resource.width = extent.width;
    resource.height = extent.height;
    makeImageOf(device, resource);
  }

  VulkanImage given() const {
    return {.buffer = image.get() == nullptr ? host.buffer() : nullptr,
            .image = image.get(),
            .view = view.get(),
            .width = static_cast<int>(extent.width),
            .height = static_cast<int>(extent.height)};
  }

  bool isSource;
  VkExtent3D extent;
  uint32_t pixelBytes;
  HostBuffer host;
  DeviceMemory memory{nullptr, {}};
  Handle<VkImage> image;  // null: the buffer itself
  Handle<VkImageView> view;

 private:
  void makeImageOf(const Device::Impl& device, const Resource& resource) {
    image = makeImage(device, resource);
    VkMemoryRequirements needs{};
    device.vk.vkGetImageMemoryRequirements(device.handle(), image.get(), &needs);
    const auto type =
        memoryType(device, needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0).value_or(0);
    const std::string what = "memory for " + describe(resource);
    check(allocate(device, {.bytes = needs.size, .alignment = needs.alignment, .type = type}, memory), what);
    check(device.vk.vkBindImageMemory(device.handle(), image.get(), memory->memory, memory->offset), what);
    view = makeView(device, image.get(), resource);
  }
};

}  // namespace

struct HostedMemory::Impl {
  Device::Impl& device;
  std::map<std::string, HostedOne> all = {};

  // With the images' first use, whose contents are overwritten, if `discards`.
  void order(VkCommandBuffer commands, const VkMemoryBarrier2& memory, bool discards) const {
    std::vector<VkImageMemoryBarrier2> images;
    for (const auto& [name, one] : all) {
      if (!discards || one.image.get() == nullptr)
        continue;
      auto& first =
          images.emplace_back(typed<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2));
      first.dstStageMask = computeOrCopy;
      first.dstAccessMask = readOrWrite;
      first.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      first.srcQueueFamilyIndex = first.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      first.image = one.image.get();
      first.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    }
    auto info = typed<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = static_cast<uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    device.pipelineBarrier2(commands, &info);
  }

  void copyImages(VkCommandBuffer commands, bool areSources) const {
    for (const auto& [name, one] : all) {
      if (one.image.get() == nullptr || one.isSource != areSources)
        continue;
      const VkBufferImageCopy region{0, 0, 0, layersOfImage, {}, one.extent};
      if (areSources)
        device.vk.vkCmdCopyBufferToImage(commands, one.host.buffer(), one.image.get(),
                                         VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      else
        device.vk.vkCmdCopyImageToBuffer(commands, one.image.get(), VK_IMAGE_LAYOUT_GENERAL,
                                         one.host.buffer(), 1, &region);
    }
  }
};

HostedMemory::HostedMemory(Device& device, const std::map<std::string, HostedEnd>& ends)
    : impl_(new Impl{device.impl()}) {
  for (const auto& [name, end] : ends)
    impl_->all.try_emplace(name, impl_->device, name, end);
}
HostedMemory::~HostedMemory() = default;

std::span<std::byte> HostedMemory::pixels(const std::string& name) {
  return impl_->all.at(name).host.bytes();
}

uint32_t HostedMemory::pixelBytes(const std::string& name) const {
  return impl_->all.at(name).pixelBytes;
}

void HostedMemory::run(const Record& record) {
  const Impl& impl = *impl_;
  std::map<std::string, VulkanImage> given;
  for (const auto& [name, one] : impl.all) {
    given[name] = one.given();
    one.host.flush(impl.device);
  }
  const auto barrier = [](VkPipelineStageFlags2 from, VkPipelineStageFlags2 to) {
    auto made = typed<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    made.srcStageMask = from;
    made.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    made.dstStageMask = to;
    made.dstAccessMask = readOrWrite;
    return made;
  };
  runOnce(impl_->device, "a frame of host memory", [&](VkCommandBuffer commands) {
    impl.order(commands, barrier(computeOrCopy, computeOrCopy), true);
    impl.copyImages(commands, true);
    impl.order(commands, barrier(computeOrCopy, computeOrCopy), false);
    record(commands, given);
    impl.order(commands, barrier(computeOrCopy, computeOrCopy | VK_PIPELINE_STAGE_2_HOST_BIT), false);
    impl.copyImages(commands, false);
    impl.order(commands, barrier(computeOrCopy, VK_PIPELINE_STAGE_2_HOST_BIT), false);
  });
  for (const auto& [name, one] : impl.all)
    one.host.invalidate(impl.device);
}

}  // namespace lacuna::vk
