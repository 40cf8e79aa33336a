#pragma once
#include <string>

#include "graph/vk/executable.h"

namespace lacuna {

// The driver's compiled pipelines on disk, a file each, so that a later process need not compile them again.
// Drivers with a cache of their own (Mesa) return no data. `folder` as in ShaderCache.
vk::PipelineFiles pipelineFiles(const std::string& folder, const vk::DeviceInfo& info);

}  // namespace lacuna
