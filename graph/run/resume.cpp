#include "graph/run/resume.h"

#include <filesystem>

#include "graph/load/files.h"
#include "graph/nodes/load_native.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

using IsDone = bool (*)(const ModuleGraph& graph, const ModuleInstance& sink, int frame);

bool isThere(const ModuleGraph& graph, const ModuleInstance& sink, int frame) {
  std::error_code ignored;
  return fs::exists(fileOf(sink, graph.folder, frame), ignored);
}

bool isWhole(const ModuleGraph& graph, const ModuleInstance& sink, int frame) {
  std::error_code isMissing;
  const auto bytes = fs::file_size(fileOf(sink, graph.folder, frame), isMissing);
  if (isMissing || bytes == 0) {
    return false;
  }
  if (sink.native == nullptr || sink.native->table().check == nullptr) {
    return true;
  }
  NativeCall call(callContext(graph, sink, frame));
  return call.run(sink.native->file(), "check", sink.native->table().check);
}

FrameSet doneFrames(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames,
                    IsDone isDone) {
  if (!namesFrames(filePattern(sink))) {
    return isDone(graph, sink, 0) ? frames : FrameSet();
  }
  FrameSet done;
  for (const int frame : frames.within(framesThere(sink, graph.folder))) {
    if (isDone(graph, sink, frame)) {
      done.add(frame);
    }
  }
  return done;
}

FrameSet framesLeft(const ModuleGraph& graph, const FrameSet& frames, IsDone isDone) {
  FrameSet done = frames;
  bool hasSink = false;
  for (const ModuleInstance& module : graph.modules) {
    if (module.description->isSink() && module.description->parameter("filename") != nullptr) {
      done = doneFrames(graph, module, done, isDone);
      hasSink = true;
    }
  }
  return hasSink ? frames.without(done) : frames;
}

}  // namespace

FrameSet unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames) {
  return framesLeft(graph, frames, isWhole);
}

FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames) {
  return framesLeft(graph, frames, isThere);
}

}  // namespace lacuna
