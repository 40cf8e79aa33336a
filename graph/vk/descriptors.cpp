#include "graph/vk/descriptors.h"

#include <algorithm>
#include <array>
#include <map>

#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

VkDescriptorType descriptorType(AccessPoint point) {
  switch (point) {
    case AccessPoint::sampledImage:
      return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case AccessPoint::storageImage:
      return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case AccessPoint::uniformBuffer:
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    default:
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
}

Handle<VkDescriptorPool> makePool(const Device::Impl& device, const FrameGraph& schedule) {
  std::map<VkDescriptorType, uint32_t> counts;
  uint32_t sets = 0;
  for (const Pass& pass : schedule.passes) {
    if (pass.kind == PassKind::dispatch) {
      ++sets;
      for (const BindingLayout& layout : bindingLayouts(pass))
        counts[layout.type] += layout.count;
    }
  }
  std::vector<VkDescriptorPoolSize> sizes = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};  // one at least
  for (const auto& [type, count] : counts)
    sizes.push_back({type, count});
  auto info = typed<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  info.maxSets = std::max(1U, sets);
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  return make(device.handle(), device.vk.vkCreateDescriptorPool, device.vk.vkDestroyDescriptorPool, info,
              "a descriptor pool");
}

VkDescriptorSet allocateSet(const Device::Impl& device, VkDescriptorPool pool, VkDescriptorSetLayout layout) {
  auto info = typed<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  info.descriptorPool = pool;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set = nullptr;
  check(device.vk.vkAllocateDescriptorSets(device.handle(), &info, &set), "a descriptor set");
  return set;
}

// One of `buffer` and `image` is null.
VkWriteDescriptorSet writeOf(VkDescriptorSet set, const Access& access, VkDescriptorType type,
                             const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image) {
  auto write = typed<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.dstSet = set;
  write.dstBinding = access.binding;
  write.dstArrayElement = access.element;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = buffer;
  write.pImageInfo = image;
  return write;
}

bool bindsBuffer(const Access& access) {
  return access.point == AccessPoint::storageBuffer || access.point == AccessPoint::uniformBuffer;
}

void bind(const Device::Impl& device, const FrameGraph& schedule, const FrameResources& resources,
          VkDescriptorSet set, const Access& access) {
  const bool isBuffer = bindsBuffer(access);
  const VkDescriptorBufferInfo buffer{resources.buffer(access.resource), resources.offset(access.resource),
                                      isBuffer ? bufferBytes(schedule.resources[access.resource]) : 0};
  const VkDescriptorImageInfo image{device.nearest.get(), resources.view(access.resource),
                                    resources.layout(access.resource)};
  const VkWriteDescriptorSet write = writeOf(set, access, descriptorType(access.point),
                                             isBuffer ? &buffer : nullptr, isBuffer ? nullptr : &image);
  device.vk.vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
}

}  // namespace

std::vector<BindingLayout> bindingLayouts(const Pass& pass) {
  std::map<uint32_t, BindingLayout> found;
  if (pass.blockBytes > 0)
    found[0] = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
  for (const Access& access : pass.accesses) {
    if (access.byAddress)
      continue;
    BindingLayout& layout = found[access.binding];
    layout.binding = access.binding;
    layout.type = descriptorType(access.point);
    layout.count = std::max(layout.count, access.element + 1);
  }
  std::vector<BindingLayout> result;
  for (const auto& [binding, layout] : found)
    result.push_back(layout);
  return result;
}

DescriptorSets::DescriptorSets(const Device::Impl& device, const FrameGraph& schedule,
                               const FrameResources& resources, const HostMemory& host,
                               const GivenMemory& given,
                               const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines)
    : pool_(makePool(device, schedule)), sets_(schedule.passes.size()) {
  for (const PassId id : sets_.ids()) {
    const Pass& pass = schedule.passes[id];
    if (pass.kind != PassKind::dispatch)
      continue;
    sets_[id] = allocateSet(device, pool_.get(), pipelines[id]->setLayout.get());
    setName(device.names, device.handle(), sets_[id], pass.name);
    if (pass.blockBytes > 0) {
      const VkDescriptorBufferInfo block = host.block(id);
      const VkWriteDescriptorSet write =
          writeOf(sets_[id], Access{}, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &block, nullptr);
      device.vk.vkUpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
    }
    for (const Access& access : pass.accesses)
      if (!access.byAddress && given.places[access.resource] < 0)
        bind(device, schedule, resources, sets_[id], access);
  }
  prepareGiven(device, schedule, given);
}

void DescriptorSets::prepareGiven(const Device::Impl& device, const FrameGraph& schedule,
                                  const GivenMemory& given) {
  for (const PassId id : sets_.ids()) {
    for (const Access& access : schedule.passes[id].accesses) {
      const int place = given.places[access.resource];
      if (sets_[id] == nullptr || place < 0)
        continue;
      GivenBinding& made = given_.emplace_back();
      made.place = static_cast<size_t>(place);
      made.image.sampler = device.nearest.get();
      if (bindsBuffer(access))
        made.buffer.range = bufferBytes(schedule.resources[access.resource]);
      writes_.push_back(writeOf(sets_[id], access, descriptorType(access.point), nullptr, nullptr));
    }
  }
  for (size_t i = 0; i < writes_.size(); ++i) {
    writes_[i].pBufferInfo = given_[i].buffer.range > 0 ? &given_[i].buffer : nullptr;
    writes_[i].pImageInfo = given_[i].buffer.range > 0 ? nullptr : &given_[i].image;
  }
}

void DescriptorSets::bindGiven(const Device::Impl& device, std::span<const VulkanImage> memory) {
  for (GivenBinding& binding : given_) {
    const VulkanImage& image = memory[binding.place];
    binding.buffer.buffer = image.buffer;
    binding.buffer.offset = image.offset;
    binding.image.imageView = image.view;
    binding.image.imageLayout = image.layout;
  }
  device.vk.vkUpdateDescriptorSets(device.handle(), static_cast<uint32_t>(writes_.size()), writes_.data(), 0,
                                   nullptr);
}

}  // namespace lacuna::vk
