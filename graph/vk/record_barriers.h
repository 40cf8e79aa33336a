#pragma once
// Hazards -> vkCmdPipelineBarrier2. Images stay in the layout GENERAL, so most of them need memory barriers
// only; the first use of an image in its memory is a transition from UNDEFINED.

#include "graph/vk/record.h"

namespace lacuna::vk {

void recordBarrier(const Program& program, VkCommandBuffer commands, const Barrier& barrier);

// Between repeated runs of a pass: both write the same.
void orderRepeats(const Program& program, VkCommandBuffer commands, PassId pass);

// Everything of the previous frame is finished and visible.
void orderFrames(const Program& program, VkCommandBuffer commands);
// For resources whose contents aren't needed: ready to be filled.
void discardBeforeTransfer(const Program& program, VkCommandBuffer commands,
                           const std::vector<ResourceId>& resources);
void transferBeforeAll(const Program& program, VkCommandBuffer commands);
void transferBeforeHost(const Program& program, VkCommandBuffer commands);

}  // namespace lacuna::vk
