#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/files/file_id.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/run/run_summary.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/interrupt.h"
#include "tools/shell/messages.h"
#include "tools/shell/progress.h"
#include "tools/shell/report.h"
#include "tools/shell/time_watch.h"
#include "tools/timing/time_table.h"

namespace lacuna {
namespace {

GraphOptions wantedFrames(const RunArguments& arguments) {
  GraphOptions options;
  options.frames = arguments.frames;
  options.warmUp = arguments.warmUp;
  options.missing = arguments.missing;
  options.resume = arguments.resume;
  options.records = arguments.runs > 1;
  options.skipDamaged = arguments.skipDamaged;
  options.overwriteInput = arguments.overwriteInput;
  options.keepOutputs = arguments.keepOutputs;
  return options;
}

bool writesStandardOutput(const Graph& graph) {
  const std::vector<std::string> files = graph.outputFiles(graph.frames().front());
  return std::find(files.begin(), files.end(), standardStream) != files.end();
}

// A pipeline's frames, and what is printed meanwhile and in the end.
class FrameRun {
 public:
  FrameRun(const RunArguments& arguments, Device& device, const Graph& graph, Pipeline& pipeline,
           nlohmann::ordered_json& out)
      : arguments_(arguments),
        out_(out),
        device_(device),
        graph_(graph),
        pipeline_(pipeline),
        progress_(arguments.quiet ? ShowProgress::never : arguments.progress, graph.frames().size()) {
    options_.timesPasses = arguments.time;
    // Frames that share the device with codecs and with each other would be timed wrong.
    options_.inFlight = arguments.time ? 1 : arguments.inFlight;
    options_.progress = [this](const RunProgress& now) { take(now); };
    options_.warning = printWarning;
    options_.cancelled = [this] { return Interrupts::signal() != 0 || !isValid_; };
  }

  int run() {
    const Interrupts interrupts;
    try {
      const RunResult end = pipeline_.run(options_);
      printSummary(end);
      return codeOf(end);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::file) {
        throw;
      }
      printException(error);
      printWayOut(error.kind() == ErrorKind::input);
      printSummary(soFar_);
      return exitFiles;
    }
  }

 private:
  void take(const RunProgress& now) {
    progress_.update(now);
    soFar_.done = now.done;
    soFar_.warmedUp = now.warmedUp;
    if (!now.damaged.empty()) {
      printError(fmt::format("frame {} is left out: {}", now.frame, now.damaged));
    } else if (arguments_.time && !now.isWarmUp) {
      timings_.push_back(now.passMs);
    }
    isValid_ = isValid_ && (!arguments_.graph.validate || device_.validationMessages().empty());
  }

  int codeOf(const RunResult& end) {
    if (arguments_.time && !timings_.empty() && arguments_.json) {
      out_["passes"] = timeTable(pipeline_.plan().passes, timings_, 0.0).rows;
    } else if (arguments_.time && !timings_.empty()) {
      printTimes(device_, pipeline_.plan().passes, timings_, writesStandardOutput(graph_) ? stderr : stdout);
    }
    if (!isValid_) {
      for (const std::string& message : device_.validationMessages()) {
        printNote("validation: " + message);
      }
      return exitFailed;
    }
    if (end.cancelled) {
      if (!arguments_.quiet) {
        printNote(fmt::format("interrupted: {} of {} frames are written{}", end.done, graph_.frames().size(),
                              isSequence() ? "; --resume runs the others" : ""));
      }
      return exitSignal + Interrupts::signal();
    }
    return end.damaged.empty() ? exitOk : exitFiles;
  }

  void printSummary(const RunResult& end) {
    const double seconds = commandSeconds() - arguments_.begun;
    out_.update(runJson(graph_, end, seconds));
    const std::string text = runSummary(graph_, end, seconds);
    const bool isInBatch = arguments_.runs > 1 && !isSequence();  // whose end reports on all
    if (!arguments_.json && !arguments_.quiet && !isInBatch && !text.empty()) {
      printLine(text);
    }
  }

  // After an error.
  void printWayOut(bool isInput) const {
    if (isSequence() && !arguments_.quiet) {
      printNote(fmt::format("--resume runs the frames that are not written yet{}",
                            isInput ? "; --skip-damaged skips those whose files can't be read" : ""));
    }
  }

  bool isSequence() const { return graph_.frames().size() > 1; }

  const RunArguments& arguments_;
  nlohmann::ordered_json& out_;  // for --json
  Device& device_;
  const Graph& graph_;
  Pipeline& pipeline_;
  Progress progress_;
  RunOptions options_;
  RunResult soFar_;
  std::vector<std::vector<double>> timings_;
  std::atomic<bool> isValid_ = true;  // workers ask, too
};

// The measurements before the first frame.
void printMeasured(const RunArguments& arguments, Pipeline& pipeline) {
  for (const Message& warning : pipeline.warnings()) {
    printMessage(warning);
  }
  if (pipeline.measured().empty() || arguments.quiet ||
      (arguments.progress != ShowProgress::always && !arguments.time)) {
    return;
  }
  for (const FilterTimes& filter : pipeline.measured()) {
    if (!filter.measured.empty()) {
      fmt::print(stderr, "{}: measured {} schedules, takes {}\n", filter.filter, filter.measured.size(),
                 filter.measured.front().name);
    }
  }
  fmt::print(stderr, "measuring took {:.1f} s (--no-tune leaves it out; it is kept for later runs)\n",
             door::Access::of(pipeline).measuringSeconds);
}

int framesToCompute(const Graph& graph) {
  const FramePlan& plan = door::Access::of(graph)->plan;
  return static_cast<int>(plan.frames.size() + plan.warmUp.size());
}

// "; 2 are made again: 1 was made with other settings, 1 from other inputs"
std::string whyOthersRun(const door::GraphState& state) {
  constexpr std::array<const char*, outputStates> words = {
      "",
      "",
      "{} incomplete",
      "{} without a record of what they were made from",
      "{} of another program, graph, module or parameter",
      "{} of other inputs"};
  std::vector<std::string> reasons;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i][0] != 0 && state.outputs[i] > 0) {
      reasons.push_back(fmt::format(fmt::runtime(words[i]), state.outputs[i]));
    }
  }
  return reasons.empty() ? "" : fmt::format("; made again: {}", fmt::join(reasons, ", "));
}

// The skipped frames, and the reasons why others aren't.
void printFinished(const RunArguments& arguments, const door::GraphState& state) {
  const bool isNothing = state.finished.empty() && whyOthersRun(state).empty();
  if (isNothing || !state.loaded.ok()) {
    return;
  }
  const std::string count =
      state.askedFrames == 1 && !state.finished.empty()
          ? "the frame already exists"
          : fmt::format("{} of {} frames already exist", state.finished.size(), state.askedFrames);
  if (!arguments.keepOutputs) {
    printNote(count + whyOthersRun(state));
    return;
  }
  const std::string kept = listFrames(state.finished, [&](int frame) {
    return fmt::format("{}", fmt::join(door::outputFiles(state, frame), ", "));
  });
  printNote(state.askedFrames > 1 ? fmt::format("{}, and are kept: {}", count, kept)
                                  : fmt::format("{} already exists, and is kept", kept));
}

nlohmann::ordered_json keptFiles(const door::GraphState& state) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const int frame : state.finished) {
    for (const std::string& file : door::outputFiles(state, frame)) {
      files.push_back(file);
    }
  }
  return files;
}

// Prints what is wrong; nullopt then.
std::optional<Graph> openGraph(const RunArguments& arguments, const std::shared_ptr<Trace>& trace,
                               nlohmann::ordered_json& out) {
  const Profile::Span span(door::Access::of(trace), "load");
  const std::shared_ptr<door::GraphState> state =
      loadState(arguments.graph, arguments.graph.graph, wantedFrames(arguments), arguments.others);
  if (!arguments.quiet) {
    printFinished(arguments, *state);
  }
  if (arguments.keepOutputs && state->loaded.ok()) {
    out["kept"] = keptFiles(*state);
  }
  printDiagnostics(state->loaded.diagnostics);
  return state->loaded.ok() ? std::optional(door::openGraph(state)) : std::nullopt;
}

Device openDevice(const RunArguments& arguments, const std::shared_ptr<Trace>& trace) {
  const Profile::Span span(door::Access::of(trace), "device");
  DeviceOptions options;
  options.select = arguments.graph.device;
  options.validates = arguments.graph.validate;
  return Device(options);
}

int runTraced(const RunArguments& arguments, const std::shared_ptr<Trace>& trace,
              nlohmann::ordered_json& out) {
  const std::optional<Graph> graph = openGraph(arguments, trace, out);
  if (!graph) {
    return exitUsage;
  }
  if (graph->frames().empty()) {
    out.update(runJson(*graph, {}, 0.0));
    return exitOk;
  }
  if ((arguments.profile == standardStream || arguments.json) && writesStandardOutput(*graph)) {
    printError(fmt::format("{} and a sink would both write standard output: name a file",
                           arguments.json ? "--json" : "--profile -"));
    return exitUsage;
  }
  Device device = openDevice(arguments, trace);
  PipelineOptions options = pipelineOptions(arguments.graph);
  options.trace = trace;
  options.frames = framesToCompute(*graph) * arguments.runs;
  options.tunes = arguments.tune && !arguments.graph.validate && arguments.missing != Missing::wait;
  options.startsFast = !arguments.time;
  Pipeline pipeline(device, *graph, options);
  printMeasured(arguments, pipeline);
  return FrameRun(arguments, device, *graph, pipeline, out).run();
}

int runReported(const RunArguments& given, nlohmann::ordered_json& out) {
  RunArguments arguments = given;
  arguments.profile = standardOutputName(given.profile);
  if (arguments.keepOutputs && fileIdOf(arguments.profile)) {
    if (!arguments.quiet) {
      printNote(fmt::format("{} already exists, and is kept", arguments.profile));
    }
    arguments.profile.clear();
  }
  if (arguments.profile.empty()) {
    return runTraced(arguments, nullptr, out);
  }
  const bool toStdout = arguments.profile == standardStream;
  if (toStdout && arguments.time) {
    printError("--profile - and --time would both print to stdout: write the profile to a file");
    return exitUsage;
  }
  if (!toStdout) {
    arguments.others.push_back(
        {"--profile " + arguments.profile, "the profile", arguments.profile, FileKind::profile});
  }
  const auto trace = std::make_shared<Trace>();
  const auto write = [&] {
    if (toStdout) {
      fmt::print("{}", trace->json());
    } else {
      trace->write(arguments.profile);
    }
  };
  int code = exitOk;
  try {
    code = runTraced(arguments, trace, out);
  } catch (const std::exception& error) {
    if (exitCodeOf(error) != exitUsage) {
      write();
    }
    throw;
  }
  if (code != exitUsage) {
    write();
  }
  return code;
}

}  // namespace

int runGraph(const RunArguments& arguments, nlohmann::ordered_json& out) {
  if (arguments.quiet) {
    TimeWatch::keepQuiet();
  }
  return runReported(arguments, out);
}

int runGraph(const RunArguments& arguments) {
  return reported(arguments.json, [&](nlohmann::ordered_json& out) { return runGraph(arguments, out); });
}

}  // namespace lacuna
