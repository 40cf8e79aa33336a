#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "graph/config/diagnostics.h"
#include "graph/files/file_name.h"
#include "graph/load/file_numbers.h"
#include "graph/load/load.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

class Planner {
 public:
  Planner(const WarmUp& warmUp, Missing missing, const FrameSet& there)
      : count_(static_cast<size_t>(warmUp.frames.value_or(std::numeric_limits<int>::max()))),
        goesOver_(skipsFrames(missing) && !warmUp.cutsAtGaps),
        there_(there) {}

  // In a run of neighbouring frames, only the first has a gap before it.
  void add(const FrameSet::Run& run) {
    const FrameSet between = there_.between(last_ + 1, run.first - 1);
    const FrameSet usable = goesOver_ ? between : rowBefore(run.first, between);
    const size_t size = usable.size();
    const FrameSet warmUp = size > count_ ? usable.without(usable.first(size - count_)) : usable;
    const int first = warmUp.empty() ? run.first : warmUp.front();
    const bool leavesOut = goesOver_ ? size > count_ : first > last_ + 1;
    if (leavesOut || last_ < 0)
      plan_.starts.add(first);
    if (leavesOut && size < count_)
      plan_.stoppedBy = first - 1;
    for (const FrameSet::Run& before : warmUp.runs())
      plan_.warmUp.add(before);
    plan_.frames.add(run);
    last_ = run.last;
  }

  FramesToRun take() { return std::move(plan_); }

 private:
  // The frames without a gap before a frame.
  static FrameSet rowBefore(int frame, const FrameSet& frames) {
    const bool isRow = !frames.empty() && frames.back() == frame - 1;
    return isRow ? FrameSet::range(frames.runs().back().first, frames.back()) : FrameSet();
  }

  size_t count_;
  bool goesOver_;
  const FrameSet& there_;
  FramesToRun plan_;
  int last_ = -1;  // frame that is computed
};

}  // namespace

FrameSet framesOf(const ModuleGraph& graph, const FrameList& list, Missing missing) {
  using Kind = FrameList::Kind;
  if (list.kind == Kind::all || (list.kind == Kind::asGraph && !graph.writesLast))
    return FrameSet::range(0, graph.frames - 1);
  if (list.kind == Kind::numbers)
    return list.numbers.shifted(-graph.firstNumber);
  const int last = graph.frames - 1;
  return {skipsFrames(missing) ? framesWithFiles(graph).lastUpTo(last).value_or(0) : last};
}

FrameSet framesToWrite(const ModuleGraph& graph) {
  return FrameSet::range(graph.writesLast ? graph.frames - 1 : 0, graph.frames - 1);
}

FramesToRun framesToRun(const FrameSet& wanted, const WarmUp& warmUp, Missing missing,
                        const FrameSet& there) {
  Planner planner(warmUp, missing, there);
  for (const FrameSet::Run& run : wanted.runs())
    planner.add(run);
  return planner.take();
}

namespace {

// A graph may leave `filename` to its user, who has named these.
void nameFile(ModuleInstance& module, const std::vector<std::string>& files) {
  for (Parameter& parameter : module.parameters) {
    if (parameter.description->name == "filename" && filePattern(module).empty() && !files.empty()) {
      parameter.values = {files.front()};
      parameter.isSet = parameter.fromOption = true;
    }
  }
}

void takeFrameFiles(ModuleGraph& graph, const LoadOptions& options, Diagnostics& diagnostics) {
  for (const auto& [name, files] : options.frameFiles) {
    const auto module = std::ranges::find_if(
        graph.modules, [&name = name](const ModuleInstance& each) { return each.name() == name; });
    if (module == graph.modules.end() || module->description->parameter("filename") == nullptr) {
      std::vector<std::string> names;
      for (const ModuleInstance& each : graph.modules)
        if (each.description->parameter("filename") != nullptr)
          names.push_back(each.name());
      diagnostics.error({},
                        fmt::format("files of frames for '{}', which is no module of the graph that "
                                    "reads or writes files",
                                    name),
                        suggestInstance(name, names));
    } else {
      module->frameFiles = files;
      nameFile(*module, files);
    }
  }
}

FrameSet runnableFrames(ModuleGraph& modules, const LoadOptions& options, Diagnostics& diagnostics) {
  try {
    const FrameSet frames = options.frames(modules);
    if (!frames.empty() && frames.back() >= mostFrames) {
      diagnostics.error({},
                        fmt::format("frame {} is asked for, but the last one possible is {}",
                                    int64_t{frames.back()} + modules.firstNumber,
                                    int64_t{mostFrames} - 1 + modules.firstNumber),
                        "frames count from the first file's number");
      return {};
    }
    if (!frames.empty() && frames.front() < 0 && std::ranges::none_of(modules.modules, isNumberedSource)) {
      diagnostics.error({}, fmt::format("frame {} is asked for, but the first one is {}",
                                        frames.front() + modules.firstNumber, modules.firstNumber));
      return {};
    }
    FrameSet runnable = findFiles(modules, frames, options.missing, diagnostics);
    modules.firstFrame = runnable.empty() ? 0 : runnable.front();
    return runnable;
  } catch (const FileError&) {
    return {};  // a pattern is wrong, which is reported for its module
  }
}

// Keyframes behind the only frame.
void warnOfKeyframes(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics) {
  const int last = frames.empty() ? 0 : frames.back();
  for (const ModuleInstance& module : graph.modules) {
    for (const Parameter& parameter : module.parameters) {
      if (graph.frames == 1 && !parameter.keyframes.empty() && parameter.keyframes.back().frame > last) {
        diagnostics.warn(
            parameter.where,
            fmt::format("'{}' of {} has a keyframe at frame {}, but the graph has one frame, 0",
                        parameter.description->name, module.name(), parameter.keyframes.back().frame),
            "`frames:` says how many, and so do inputs with numbers in their names");
      }
    }
  }
}

}  // namespace

Sources findFrames(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics) {
  takeFrameFiles(graph, options, diagnostics);
  numberFiles(graph, diagnostics);
  graph.keepsOutputs = options.outputs.keepOutputs;
  for (int file = 0; file < diagnostics.fileCount(); ++file)
    graph.files.push_back(diagnostics.fileName(file));
  std::optional<FrameSet> frames;
  if (options.frames)
    frames = runnableFrames(graph, options, diagnostics);
  warnOfKeyframes(graph, frames.value_or(FrameSet()), diagnostics);
  return {std::move(graph), std::move(frames)};
}

}  // namespace lacuna
