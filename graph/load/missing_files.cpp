#include "graph/load/file_numbers.h"

#include <fmt/format.h>

#include <limits>

#include "graph/files/file_name.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

// "; there are in/0000.png to in/0011.png"
std::string whatIsThere(const ModuleInstance& source, const std::string& folder) {
  if (!source.frameFiles.empty()) {
    return {};
  }
  const FrameSet numbers = numberedFiles(fileFolder(source, folder), filePattern(source)).numbers;
  if (numbers.empty()) {
    const std::string like = numberedLike(fileFolder(source, folder), filePattern(source));
    return !like.empty()
               ? like
               : "; " + unlisted(fileFolder(source, folder), filePattern(source)).value_or("none is there");
  }
  const auto nameOf = [&](int number) { return fileOf(source, folder, number - source.firstNumber); };
  return numbers.size() == 1 ? fmt::format("; there is {}", nameOf(numbers.front()))
                             : fmt::format("; there are {} files from {} to {}", numbers.size(),
                                           nameOf(numbers.front()), nameOf(numbers.back()));
}

void report(const ModuleInstance& source, const ModuleGraph& graph, const FrameSet& lacking, size_t frames,
            Missing missing, Diagnostics& diagnostics) {
  const Location where = filenameLocation(source);
  const std::string text = lacksFiles(source.name(), lacking, frames,
                                      [&](int frame) { return fileOf(source, graph.folder, frame); }) +
                           whatIsThere(source, graph.folder);
  if (missing == Missing::skip) {
    diagnostics.warn(where, text + "; these frames are left out");
  } else if (missing == Missing::hold && framesWithFile(source).contains(lacking.front())) {
    diagnostics.warn(where, text + "; the last file before them is used instead");
  } else if (missing == Missing::hold) {
    diagnostics.error(where, text, "there is no earlier file that could be repeated");
  } else {
    diagnostics.error(where, text, helpsMissing);
  }
}

}  // namespace

FrameSet framesWithFile(const ModuleInstance& module) {
  if (!isNumberedSource(module)) {
    // Frames before the first file of another source count, too: that source reports them.
    return FrameSet::range(std::numeric_limits<int>::min(), mostFrames - 1);
  }
  return module.holdsLast && !module.there.empty() ? FrameSet::range(module.there.front(), mostFrames - 1)
                                                   : module.there;
}

FrameSet framesWithFiles(const ModuleGraph& graph) {
  FrameSet frames = FrameSet::range(0, mostFrames - 1);
  for (const ModuleInstance& module : graph.modules) {
    frames = frames.within(framesWithFile(module));
  }
  return frames;
}

FrameSet findFiles(ModuleGraph& graph, const FrameSet& frames, Missing missing, Diagnostics& diagnostics) {
  FrameSet runnable = frames;
  for (ModuleInstance& module : graph.modules) {
    if (!isNumberedSource(module)) {
      continue;
    }
    module.holdsLast = missing == Missing::hold;
    if (missing == Missing::wait) {
      module.there = module.there.with(frames);
    }
    const FrameSet lacking = frames.without(module.there);
    if (lacking.empty()) {
      continue;
    }
    report(module, graph, lacking, frames.size(), missing, diagnostics);
    if (missing == Missing::skip) {
      runnable = runnable.without(lacking);
      if (runnable.empty()) {
        diagnostics.error(module.where, fmt::format("no frame can run: {} has no files", module.name()));
        return runnable;
      }
    }
  }
  return runnable;
}

}  // namespace lacuna
