#include "graph/record/pipeline_files.h"

#include <fmt/format.h>

#include "graph/shader/cache_file.h"

namespace lacuna {

vk::PipelineFiles pipelineFiles(const std::string& folder, const vk::DeviceInfo& info) {
  const auto fileOf = [folder,
                       device = fmt::format("pipeline 1\n{}\n{}\n{}\n", info.name, info.uuid, info.driver)](
                          const std::string& key) { return CacheFile(folder, "pipelines", device + key); };
  if (folder.empty())
    return {};
  return {[fileOf](const std::string& key) { return fileOf(key).read().value_or(std::vector<std::byte>()); },
          [fileOf](const std::string& key, const std::vector<std::byte>& data) { fileOf(key).write(data); }};
}

}  // namespace lacuna
