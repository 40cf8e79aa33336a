#pragma once
// How fast a device moves bytes within its memory: what nothing that is limited by memory can beat.

#include "graph/vk/device.h"

namespace lacuna {

// Bytes read and written a second by a shader that copies a buffer larger than caches, the best of several
// runs. Measured once a process and device (tens of milliseconds). Throws vk::DeviceError without timestamps.
double copyBandwidth(vk::Device& device);

}  // namespace lacuna
