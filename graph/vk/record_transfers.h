#pragma once
// Fills and copies between buffers, images and staging memory. Pixels lie in rows without padding.

#include "graph/vk/record.h"

namespace lacuna::vk {

void fillWithZeros(const Program& program, VkCommandBuffer commands, ResourceId resource);
void upload(const Program& program, VkCommandBuffer commands, PassId pass);
void download(const Program& program, VkCommandBuffer commands, PassId pass);
void copy(const Program& program, VkCommandBuffer commands, const Pass& pass);

}  // namespace lacuna::vk
