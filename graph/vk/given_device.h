#pragma once
// A device that a program has made: what it offers, and what graphs need of it.

#include "graph/passes/pass.h"
#include "graph/vk/device.h"
#include "graph/vk/given.h"

namespace lacuna::vk {

struct Physical;

// What the physical device has, whatever the program enables. Throws DeviceError if it can't be used.
DeviceInfo offeredBy(const VulkanDevice& given);

// What the device has as it was created. Throws DeviceError if that doesn't suffice.
DeviceInfo infoAsCreated(const VulkanDevice& given, const Physical& physical);

// Needs: passes for the device that offeredBy() describes.
VulkanNeeds needsOf(const DeviceInfo& offered, const Passes& passes);

// nullopt if no source or sink can be an image of this format.
std::optional<ImageFormat> givenFormat(VkFormat format);
VkFormat givenFormatOf(ImageFormat format);  // UNDEFINED: none

}  // namespace lacuna::vk
