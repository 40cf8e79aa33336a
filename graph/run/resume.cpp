#include "graph/run/resume.h"

#include <algorithm>
#include <filesystem>

#include "graph/load/files.h"

namespace lacuna {

std::vector<int> unfinishedFrames(const ModuleGraph& graph, const std::vector<int>& frames) {
  std::vector<const ModuleInstance*> sinks;
  for (const ModuleInstance& module : graph.modules) {
    if (module.description->isSink() && module.description->parameter("filename") != nullptr) {
      sinks.push_back(&module);
    }
  }
  std::vector<int> missing;
  std::copy_if(frames.begin(), frames.end(), std::back_inserter(missing), [&](int frame) {
    return sinks.empty() || std::any_of(sinks.begin(), sinks.end(), [&](const ModuleInstance* sink) {
             std::error_code isMissing;
             const auto bytes = std::filesystem::file_size(fileOf(*sink, graph.folder, frame), isMissing);
             return isMissing || bytes == 0;
           });
  });
  return missing;
}

}  // namespace lacuna
