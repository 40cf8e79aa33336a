#pragma once
// The driver's compiled pipelines on disk.

#include <string>

#include "graph/vk/device.h"
#include "graph/vk/executable.h"

namespace lacuna {

// A file each, so that a later process need not compile them again; empty if `folder` is. Drivers with a
// cache of their own (Mesa) return no data.
vk::PipelineFiles pipelineFiles(const std::string& folder, const vk::DeviceInfo& info);

}  // namespace lacuna
