#pragma once
// The driver's compiled pipelines of one schedule on disk, so that a later process need not compile them
// again. Keyed by device, driver and all code: a file is whole as soon as it is there, and is never written
// twice. Drivers with a cache of their own (Mesa) keep nothing in it.

#include "graph/passes/pass.h"
#include "graph/shader/cache_file.h"
#include "graph/shader/compile.h"
#include "graph/vk/executable.h"

namespace lacuna {

class PipelineCache {
 public:
  // `folder` as in ShaderCache; `passes` and `spirv` as they go to the device.
  PipelineCache(const std::string& folder, const vk::DeviceInfo& info, const Passes& passes,
                const vk::Code& spirv);

  void load(vk::Device& device);         // before the pipelines are made
  void store(const vk::Device& device);  // after that

 private:
  CacheFile file_;
  bool loaded_ = false;
};

}  // namespace lacuna
