#pragma once
// `run --time`: what each pass took, against what its bytes would take at least.

#include <vector>

#include "graph/compile/schedule.h"
#include "graph/vk/device.h"
#include "graph/vk/executable.h"

namespace lacuna {

// To stdout; times are medians over the frames. The floor of a pass is its bytes (every pixel that it reads
// or writes once) at the speed of a copy within the device's memory.
void printTimes(vk::Device& device, const Schedule& schedule, const std::vector<vk::Timings>& frames);

}  // namespace lacuna
