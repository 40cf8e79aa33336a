#include "graph/run/resume.h"

#include <filesystem>

#include "graph/load/files.h"

namespace lacuna {
namespace {

bool isFinished(const ModuleGraph& graph, const ModuleInstance& sink, int frame) {
  std::error_code isMissing;
  const auto bytes = std::filesystem::file_size(fileOf(sink, graph.folder, frame), isMissing);
  return !isMissing && bytes > 0;
}

FrameSet finishedFrames(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames) {
  if (!namesFrames(filePattern(sink))) {
    return isFinished(graph, sink, 0) ? frames : FrameSet();
  }
  FrameSet finished;
  for (const int frame : frames.within(framesThere(sink, graph.folder))) {
    if (isFinished(graph, sink, frame)) {
      finished.add(frame);
    }
  }
  return finished;
}

}  // namespace

FrameSet unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames) {
  FrameSet finished = frames;
  bool hasSink = false;
  for (const ModuleInstance& module : graph.modules) {
    if (module.description->isSink() && module.description->parameter("filename") != nullptr) {
      finished = finishedFrames(graph, module, finished);
      hasSink = true;
    }
  }
  return hasSink ? frames.without(finished) : frames;
}

}  // namespace lacuna
