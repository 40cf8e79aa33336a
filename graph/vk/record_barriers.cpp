#include "graph/vk/record.h"

#include <map>

#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

constexpr VkPipelineStageFlags2 allStages =
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkAccessFlags2 allWrites = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 allReads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                    VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
                                    VK_ACCESS_2_TRANSFER_READ_BIT;

struct Scope {
  VkPipelineStageFlags2 stages = 0;
  VkAccessFlags2 access = 0;
};

Scope scope(AccessPoint point, AccessKind kind) {
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  VkAccessFlags2 reads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
  VkAccessFlags2 writes = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
  if (point == AccessPoint::sampledImage) {
    reads = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    writes = 0;
  } else if (point == AccessPoint::uniformBuffer) {
    reads = VK_ACCESS_2_UNIFORM_READ_BIT;
    writes = 0;
  } else if (point == AccessPoint::transfer) {
    stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    reads = VK_ACCESS_2_TRANSFER_READ_BIT;
    writes = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  } else if (point == AccessPoint::host) {
    stages = VK_PIPELINE_STAGE_2_HOST_BIT;
    reads = VK_ACCESS_2_HOST_READ_BIT;
    writes = VK_ACCESS_2_HOST_WRITE_BIT;
  }
  switch (kind) {
    case AccessKind::read:
      return {stages, reads};
    case AccessKind::write:
      return {stages, writes};
    default:
      return {stages, reads | writes};
  }
}

// Only writes need to be made available; after reads, waiting is enough. A submission does it for those of
// the host.
Scope source(const Hazard& hazard) {
  if (!hazard.from)
    return {allStages, allWrites};
  const Scope from = scope(hazard.fromPoint, hazard.fromKind);
  return {from.stages, from.access & allWrites};
}

VkImageMemoryBarrier2 discard(VkImage image) {
  auto barrier = typed<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  return barrier;
}

template <class VulkanBarrier>
void widen(VulkanBarrier& barrier, const Scope& from, const Scope& to) {
  barrier.srcStageMask |= from.stages;
  barrier.srcAccessMask |= from.access;
  barrier.dstStageMask |= to.stages;
  barrier.dstAccessMask |= to.access;
}

void issue(const Program& program, VkCommandBuffer commands, const VkMemoryBarrier2& memory,
           const std::vector<VkImageMemoryBarrier2>& images) {
  auto info = typed<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
  if (memory.srcStageMask != 0) {
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
  }
  info.imageMemoryBarrierCount = static_cast<uint32_t>(images.size());
  info.pImageMemoryBarriers = images.data();
  program.device.pipelineBarrier2(commands, &info);
}

void order(const Program& program, VkCommandBuffer commands, const Scope& from, const Scope& to) {
  auto memory = typed<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
  widen(memory, from, to);
  issue(program, commands, memory, {});
}

}  // namespace

PreparedBarrier prepare(const FrameResources& resources, const Barrier& barrier) {
  auto memory = typed<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
  std::map<ResourceId, VkImageMemoryBarrier2> discards;  // by resource: one transition for all its waits
  for (const Hazard& hazard : barrier.hazards) {
    const Scope to = scope(hazard.toPoint, hazard.toKind);
    VkImage image = resources.image(hazard.resource);
    // A discard needs this, too: an image barrier covers only its image, not the memory's previous user.
    widen(memory, source(hazard), to);
    if (hazard.discard && image != nullptr) {
      // Reads, too: if they were of a part (a tile's core), the rest is ordered after its write through them.
      const Scope from = hazard.from ? scope(hazard.fromPoint, hazard.fromKind) : source(hazard);
      widen(discards.try_emplace(hazard.resource, discard(image)).first->second, from, to);
    }
  }
  std::vector<VkImageMemoryBarrier2> images;
  for (const auto& [resource, transition] : discards)
    images.push_back(transition);
  return {barrier.before, memory, std::move(images)};
}

void recordBarrier(const Program& program, VkCommandBuffer commands, const PreparedBarrier& barrier) {
  issue(program, commands, barrier.memory, barrier.images);
}

void orderRepeats(const Program& program, VkCommandBuffer commands, PassId pass) {
  Barrier barrier;
  for (const Access& access : program.schedule.passes[pass].accesses) {
    if (access.kind != AccessKind::read) {
      barrier.hazards.push_back(
          {access.resource, pass, access.kind, access.kind, access.point, access.point});
    }
  }
  recordBarrier(program, commands, prepare(program.resources, barrier));
}

void discardBeforeTransfer(const Program& program, VkCommandBuffer commands,
                           const std::vector<ResourceId>& resources) {
  const Scope before{allStages, allWrites};
  const Scope after = scope(AccessPoint::transfer, AccessKind::write);
  auto memory = typed<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
  widen(memory, before, after);
  std::vector<VkImageMemoryBarrier2> images;
  for (const ResourceId resource : resources) {
    VkImage image = program.resources.image(resource);
    if (image != nullptr) {
      images.push_back(discard(image));
      widen(images.back(), before, after);
    }
  }
  issue(program, commands, memory, images);
}

void orderFrames(const Program& program, VkCommandBuffer commands) {
  order(program, commands, {allStages, allWrites}, {allStages, allReads | allWrites});
}

void transferBeforeAll(const Program& program, VkCommandBuffer commands) {
  order(program, commands, scope(AccessPoint::transfer, AccessKind::write),
        {allStages, allReads | allWrites});
}

void allBeforeHost(const Program& program, VkCommandBuffer commands) {
  order(program, commands, {allStages, allWrites},
        {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT});
}

void transferBeforeHost(const Program& program, VkCommandBuffer commands) {
  order(program, commands, scope(AccessPoint::transfer, AccessKind::write),
        {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
}

}  // namespace lacuna::vk
