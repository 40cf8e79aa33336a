#include "graph/vk/record_transfers.h"

#include "graph/vk/image_format.h"

namespace lacuna::vk {
namespace {

constexpr VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

// One side of a copy: a buffer, or an image in the layout GENERAL.
struct Place {
  VkBuffer buffer = nullptr;
  VkImage image = nullptr;
};

Place place(const Program& program, ResourceId resource) {
  return {program.resources.buffer(resource), program.resources.image(resource)};
}

const Resource& resourceOf(const Program& program, const Access& access) {
  return program.schedule.resources[access.resource];
}

// `image` gives the extent where either side is an image.
void copyBetween(const Program& program, VkCommandBuffer commands, const Place& from, const Place& to,
                 const Resource& image) {
  const VolkDeviceTable& vk = program.device.vk;
  const VkExtent3D extent{image.width, image.height, 1};
  VkBufferImageCopy mixed{};
  mixed.imageSubresource = layers;
  mixed.imageExtent = extent;
  if (from.buffer != nullptr && to.buffer != nullptr) {
    const VkBufferCopy region{0, 0, contentBytes(image)};
    vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
  } else if (from.buffer != nullptr) {
    vk.vkCmdCopyBufferToImage(commands, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &mixed);
  } else if (to.buffer != nullptr) {
    vk.vkCmdCopyImageToBuffer(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &mixed);
  } else {
    const VkImageCopy region{layers, {0, 0, 0}, layers, {0, 0, 0}, extent};
    vk.vkCmdCopyImage(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                      &region);
  }
}

}  // namespace

void fillWithZeros(const Program& program, VkCommandBuffer commands, ResourceId resource) {
  const VolkDeviceTable& vk = program.device.vk;
  const Place to = place(program, resource);
  if (to.buffer != nullptr) {
    vk.vkCmdFillBuffer(commands, to.buffer, 0, VK_WHOLE_SIZE, 0);
    return;
  }
  const VkClearColorValue zero{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vk.vkCmdClearColorImage(commands, to.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
}

void upload(const Program& program, VkCommandBuffer commands, PassId pass) {
  const Access& access = program.schedule.passes[pass].accesses[0];
  copyBetween(program, commands, {program.host.staging(pass).buffer(), nullptr},
              place(program, access.resource), resourceOf(program, access));
}

void download(const Program& program, VkCommandBuffer commands, PassId pass) {
  const Access& access = program.schedule.passes[pass].accesses[0];
  copyBetween(program, commands, place(program, access.resource),
              {program.host.staging(pass).buffer(), nullptr}, resourceOf(program, access));
}

void copy(const Program& program, VkCommandBuffer commands, const Pass& pass) {
  const Resource& from = resourceOf(program, pass.accesses[0]);
  const Resource& to = resourceOf(program, pass.accesses[1]);
  copyBetween(program, commands, place(program, pass.accesses[0].resource),
              place(program, pass.accesses[1].resource), to.kind == ResourceKind::image ? to : from);
}

}  // namespace lacuna::vk
