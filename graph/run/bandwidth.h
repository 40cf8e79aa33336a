#pragma once
// The speed at which a device moves bytes within its memory: a bound for everything that memory limits.

#include "graph/vk/device.h"

namespace lacuna {

// Bytes read and written a second by copies of a buffer larger than caches, by a shader and by the driver:
// the best of several. Measured once a process and device (tens of milliseconds). Throws vk::DeviceError
// without timestamps.
double copyBandwidth(vk::Device& device);

// The same for copies of this many bytes, measured each time. Small ones fit into caches.
double copyBandwidth(vk::Device& device, uint64_t bytes);

// The bytes that copyBandwidth(device) copies.
uint64_t copyBytes(const vk::DeviceInfo& info);

}  // namespace lacuna
