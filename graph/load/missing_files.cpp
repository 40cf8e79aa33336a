#include "graph/load/missing_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

bool isThere(const ModuleInstance& source, const std::string& folder, int frame) {
  std::error_code ignored;
  if (frame < 0) {
    return false;  // the sequence begins later
  }
  return source.standIns.count(frame) > 0 || fs::exists(fileOf(source, folder, frame), ignored);
}

void holdLast(ModuleInstance& source, const std::string& folder, int lastFrame) {
  int shown = -1;
  for (int frame = 0; frame <= lastFrame; ++frame) {
    if (isThere(source, folder, frame)) {
      shown = frame;
    } else if (shown >= 0) {
      source.standIns[frame] = shown;
    }
  }
}

// "; there are in/0000.png to in/0011.png"
std::string whatIsThere(const ModuleInstance& source, const std::string& folder) {
  const std::vector<int> numbers = numbersThere(fileFolder(source, folder), filePattern(source));
  if (numbers.empty()) {
    return "; none is there";
  }
  const auto nameOf = [&](int number) { return fileOf(source, folder, number - source.firstNumber); };
  return numbers.size() == 1 ? fmt::format("; there is {}", nameOf(numbers.front()))
                             : fmt::format("; there are {} files from {} to {}", numbers.size(),
                                           nameOf(numbers.front()), nameOf(numbers.back()));
}

void report(const ModuleInstance& source, const ModuleGraph& graph, const std::vector<int>& lacking,
            size_t frames, MissingFiles missing, Diagnostics& diagnostics) {
  const Location where = filenameLocation(source);
  std::string text =
      frames == 1 ? fmt::format("{} has no file for its frame", source.name())
                  : fmt::format("{} has no files for {} of {} frames", source.name(), lacking.size(), frames);
  const auto nameOf = [&](int frame) { return fileOf(source, graph.folder, frame); };
  text += fmt::format(": {}{}", listFrames(lacking, nameOf), whatIsThere(source, graph.folder));
  if (missing == MissingFiles::skip) {
    diagnostics.warn(where, text + "; these frames are left out");
  } else if (missing == MissingFiles::hold && isThere(source, graph.folder, lacking.front())) {
    diagnostics.warn(where, text + "; the last one before is shown in their place");
  } else if (missing == MissingFiles::hold) {
    diagnostics.error(where, text, "there is none before the first to hold");
  } else {
    diagnostics.error(where, text,
                      "--missing skip leaves such frames out, --missing hold shows the last one again");
  }
}

}  // namespace

bool hasFile(const ModuleInstance& module, const std::string& folder, int frame) {
  return !isNumberedSource(module) || isThere(module, folder, frame);
}

bool hasFiles(const ModuleGraph& graph, int frame) {
  return std::all_of(graph.modules.begin(), graph.modules.end(),
                     [&](const ModuleInstance& module) { return hasFile(module, graph.folder, frame); });
}

std::vector<int> findFiles(ModuleGraph& graph, const std::vector<int>& frames, MissingFiles missing,
                           Diagnostics& diagnostics) {
  std::vector<int> runnable = frames;
  for (ModuleInstance& module : graph.modules) {
    if (!isNumberedSource(module)) {
      continue;
    }
    std::vector<int> lacking;
    std::copy_if(frames.begin(), frames.end(), std::back_inserter(lacking),
                 [&](int frame) { return !isThere(module, graph.folder, frame); });
    if (missing == MissingFiles::hold && !frames.empty()) {
      holdLast(module, graph.folder, frames.back());
    }
    if (lacking.empty()) {
      continue;
    }
    report(module, graph, lacking, frames.size(), missing, diagnostics);
    if (missing == MissingFiles::skip) {
      std::erase_if(runnable,
                    [&](int frame) { return std::binary_search(lacking.begin(), lacking.end(), frame); });
      if (runnable.empty()) {
        diagnostics.error(module.where,
                          fmt::format("no frame is left to run: {} has no files", module.name()));
        return runnable;
      }
    }
  }
  return runnable;
}

}  // namespace lacuna
