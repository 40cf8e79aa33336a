#include "graph/run/resume.h"

#include <algorithm>
#include <filesystem>

#include "graph/run/files.h"

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
             return !std::filesystem::exists(fileOf(*sink, graph.folder, frame));
           });
  });
  return missing;
}

std::string feedbackInput(const NodeGraph& graph) {
  for (const Node& node : graph.nodes) {
    for (const NamedValue& input : node.inputs) {
      if (input.value != noValue && graph.values[static_cast<size_t>(input.value)].feedback) {
        return graph.modules.modules[static_cast<size_t>(node.module)].name() + ":" + input.name;
      }
    }
  }
  return {};
}

}  // namespace lacuna
