#include "graph/load/awaited.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

// Far longer than a renderer takes to write a file, even over a network.
constexpr std::chrono::seconds writingTime{10};

}  // namespace

bool isAwaited(const std::string& file) {
  std::error_code isMissing;
  const auto changed = std::filesystem::last_write_time(file, isMissing);
  return isMissing || std::filesystem::file_time_type::clock::now() - changed < writingTime;
}

bool isAwaited(const ModuleGraph& graph, int frame) {
  return std::ranges::any_of(graph.modules, [&](const ModuleInstance& module) {
    return isNumberedSource(module) && isAwaited(fileOf(module, graph.folder, frame));
  });
}

}  // namespace lacuna
