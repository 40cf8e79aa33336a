#pragma once
// How fast a device moves bytes within its memory: what nothing that is limited by memory can beat.

#include "graph/vk/device.h"

namespace lacuna::vk {

// Bytes read and written a second by a copy between buffers larger than caches, the best of several.
// Measured once a process and device (tens of milliseconds). Throws DeviceError without timestamps.
double copyBandwidth(Device& device);

}  // namespace lacuna::vk
