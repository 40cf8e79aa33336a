#pragma once
// The driver's compiled pipelines on disk, a file each, so that a later process need not compile them again.
// Drivers with a cache of their own (Mesa) leave nothing to keep.

#include <string>

#include "graph/vk/executable.h"

namespace lacuna {

vk::PipelineFiles pipelineFiles(const std::string& folder,
                                const vk::DeviceInfo& info);  // `folder` as in ShaderCache

}  // namespace lacuna
