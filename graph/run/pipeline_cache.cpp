#include "graph/run/pipeline_cache.h"

#include <fmt/format.h>

namespace lacuna {
namespace {

template <class T>
void append(std::string& key, const std::vector<T>& values) {
  key += fmt::format("{}:", values.size());
  key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::string keyOf(const vk::DeviceInfo& info, const Passes& passes, const vk::Code& spirv) {
  std::string key = fmt::format("{}\n{}\n{}\n", info.name, info.uuid, info.driver);
  for (const PassId pass : spirv.ids()) {
    if (spirv[pass] != nullptr) {
      append(key, passes.passes[pass].specialization);
      append(key, *spirv[pass]);
    }
  }
  return key;
}

}  // namespace

PipelineCache::PipelineCache(const std::string& folder, const vk::DeviceInfo& info, const Passes& passes,
                             const vk::Code& spirv)
    : file_(folder, "pipelines", keyOf(info, passes, spirv)) {}

void PipelineCache::load(vk::Device& device) {
  const auto data = file_.read();
  try {
    if (data) {
      device.addPipelineCache(*data);
      loaded_ = true;
    }
  } catch (const vk::DeviceError&) {
    // It saves time and nothing else. store() replaces what the driver refuses.
  }
}

void PipelineCache::store(const vk::Device& device) {
  if (loaded_) {
    return;
  }
  try {
    file_.write(device.pipelineCacheData());
  } catch (const vk::DeviceError&) {
    // The next run compiles again.
  }
}

}  // namespace lacuna
