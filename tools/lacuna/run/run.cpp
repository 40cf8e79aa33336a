#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/load/frame_plan.h"
#include "graph/run/profile.h"
#include "graph/run/resume.h"
#include "graph/run/stream.h"
#include "graph/run/tune/tune_quietly.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/bench/time_table.h"
#include "tools/lacuna/run/frame_option.h"
#include "tools/lacuna/run/graph_arguments.h"
#include "tools/lacuna/run/run_summary.h"
#include "tools/lacuna/shell/interrupt.h"
#include "tools/lacuna/shell/messages.h"
#include "tools/lacuna/shell/progress.h"
#include "tools/lacuna/shell/report.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

// Which frames are to run, for the loader. Prints on the way how many need not, with --resume.
WantedFrames wantedFrames(const RunArguments& arguments, FrameList list) {
  WantedFrames wanted;
  wanted.of = [&arguments, list = std::move(list)](const ModuleGraph& graph) {
    std::vector<int> all = framesOf(graph, list, arguments.missing);
    std::vector<int> missing = arguments.resume ? unfinishedFrames(graph, all) : all;
    if (!arguments.quiet && missing.size() < all.size()) {
      printNote(fmt::format("{} of {} frames are there already", all.size() - missing.size(), all.size()));
    }
    return missing;
  };
  wanted.missing = arguments.missing;
  wanted.overwriteInput = arguments.overwriteInput;
  wanted.skipDamaged = arguments.skipDamaged;
  return wanted;
}

// With the frames that those to run depend on.
FramePlan planOf(const RunArguments& arguments, const LoadedGraph& loaded) {
  WarmUp warmUp = warmUpOf(loaded.graph);
  if (arguments.warmUp >= 0) {
    warmUp.frames = arguments.warmUp;
  }
  const ModuleGraph& modules = loaded.graph.modules;
  const auto has = [&](int frame) { return hasFiles(modules, frame); };
  FramePlan plan = planFrames(loaded.frames, warmUp, arguments.missing, has);
  if (plan.stoppedBy >= 0) {
    printWarning(
        fmt::format("frame {} has no input files, so frames before it are not run for those that follow; "
                    "these may differ from the whole sequence's",
                    plan.stoppedBy + modules.firstNumber));
  }
  return plan;
}

// A session's frames, and what is printed meanwhile and in the end.
class FrameRun {
 public:
  FrameRun(const RunArguments& arguments, vk::Device& device, Session& session, FramePlan plan,
           nlohmann::ordered_json& out)
      : arguments_(arguments),
        out_(out),
        device_(device),
        session_(session),
        graph_(session.schedule().graph.modules),
        progress_(arguments.quiet ? ShowProgress::never : arguments.progress,
                  static_cast<int>(plan.frames.size()), graph_.firstNumber) {
    options_.frames = std::move(plan.frames);
    options_.warmUp = std::move(plan.warmUp);
    options_.starts = std::move(plan.starts);
    options_.timePasses = arguments.time;
    options_.skipDamaged = arguments.skipDamaged;
    // Frames that share the device with codecs and with each other would be timed wrong.
    options_.inFlight = arguments.time ? 1 : arguments.inFlight;
    options_.progress = [this](const StreamProgress& now) { take(now); };
    options_.stop = [this] { return Interrupts::signal() != 0 || !isValid_; };
  }

  int run() {
    const Interrupts interrupts;
    session_.onWarning([this](const std::string& text) {
      arguments_.json ? printWarning(text) : progress_.message("lacuna: warning: " + text);
    });
    const auto start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    try {
      const StreamEnd end = stream(session_, options_);
      progress_.clear();
      printSummary(end, seconds());
      return codeOf(end);
    } catch (const FileError& error) {
      progress_.clear();
      printException(error);
      printWayOut(dynamic_cast<const InputError*>(&error) != nullptr);
      printSummary(soFar_, seconds());
      return exitFiles;
    }
  }

 private:
  void take(const StreamProgress& now) {
    progress_.update(now);
    soFar_.done = now.done;
    soFar_.warmedUp = now.warmedUp;
    if (!now.damaged.empty()) {
      const std::string text =
          fmt::format("frame {} is left out: {}", now.frame + graph_.firstNumber, now.damaged);
      arguments_.json ? printError(text) : progress_.message("lacuna: error: " + text);
    } else if (arguments_.time && !now.isWarmUp) {
      timings_.push_back(now.timings);
    }
    isValid_ = isValid_ && (!arguments_.graph.validate || device_.validationMessages().empty());
  }

  int codeOf(const StreamEnd& end) {
    if (arguments_.time && !timings_.empty() && arguments_.json) {
      out_["passes"] = timesJson(passTimes(session_.schedule(), timings_, 0.0));
    } else if (arguments_.time && !timings_.empty()) {
      printTimes(device_, session_.schedule(), timings_, writesStandardOutput(graph_) ? stderr : stdout);
    }
    if (!isValid_) {
      for (const std::string& message : device_.validationMessages()) {
        printNote("validation: " + message);
      }
      return exitFailed;
    }
    if (end.stopped) {
      if (!arguments_.quiet) {
        printNote(fmt::format("interrupted: {} of {} frames are written{}", end.done, options_.frames.size(),
                              isSequence() ? "; --resume runs the others" : ""));
      }
      return exitSignal + Interrupts::signal();
    }
    return end.damaged.empty() ? exitOk : exitFiles;
  }

  void printSummary(const StreamEnd& end, double seconds) {
    out_.update(runJson(graph_, options_.frames, end, seconds));
    const std::string text = runSummary(graph_, options_.frames, end, seconds);
    if (!arguments_.json && !arguments_.quiet && !text.empty()) {
      fmt::print(stderr, "{}\n", text);
    }
  }

  // After an error.
  void printWayOut(bool isInput) const {
    if (isSequence() && !arguments_.quiet) {
      printNote(fmt::format("--resume runs the frames that are not written yet{}",
                            isInput ? "; --skip-damaged leaves out those whose files can't be read" : ""));
    }
  }

  bool isSequence() const { return options_.frames.size() > 1; }

  const RunArguments& arguments_;
  nlohmann::ordered_json& out_;  // for --json
  vk::Device& device_;
  Session& session_;
  const ModuleGraph& graph_;
  Progress progress_;
  StreamOptions options_;
  StreamEnd soFar_;
  std::vector<vk::Timings> timings_;
  std::atomic<bool> isValid_ = true;  // workers ask, too
};

void printTunings(const std::vector<FilterTuning>& tunings, double seconds) {
  for (const FilterTuning& tuning : tunings) {
    if (!tuning.end.measured.empty()) {
      fmt::print(stderr, "{}: measured {} schedules, takes {}\n", tuning.node, tuning.end.measured.size(),
                 tuning.end.measured.front().schedule);
    }
  }
  fmt::print(stderr, "measuring took {:.1f} s (--no-tune leaves it out; it is kept for later runs)\n",
             seconds);
}

// Whether anything was measured. What goes wrong keeps nothing from running.
bool isTuned(const RunArguments& arguments, vk::Device& device, const LoadedGraph& loaded,
             const FramePlan& plan, const std::vector<Choice>& planned) {
  if (!arguments.tune || arguments.graph.validate) {
    return false;
  }
  const auto start = Clock::now();
  try {
    const std::vector<FilterTuning> tunings = tuneQuietly(
        device, loaded.graph, planned,
        compileOptionsFor(arguments.graph, targetOf(arguments.graph, device.info()), loaded.graph),
        {static_cast<int>(plan.frames.size() + plan.warmUp.size()), plan.frames.front(),
         moduleSearchPath(arguments.graph.modules), ShaderCache::defaultFolder()});
    if (!tunings.empty() && !arguments.quiet &&
        (arguments.progress == ShowProgress::always || arguments.time)) {
      printTunings(tunings, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return !tunings.empty();
  } catch (const std::exception& error) {
    printWarning(fmt::format("schedules were not measured: {}", error.what()));
    return false;
  }
}

int runProfiled(const RunArguments& arguments, Profile* profile, nlohmann::ordered_json& out) {
  const auto list = frameListOption(arguments.frames);
  if (!list) {
    return exitUsage;
  }
  std::optional<LoadedGraph> loaded;
  {
    const Profile::Span span(profile, "load");
    loaded = loadFor(arguments.graph, arguments.graph.graph, wantedFrames(arguments, *list));
  }
  if (!loaded->ok()) {
    return exitUsage;
  }
  if (loaded->frames.empty()) {
    return exitOk;
  }
  if (arguments.profile == "-" && writesStandardOutput(loaded->graph.modules)) {
    printError("--profile - and a sink would both write standard output: write the profile to a file");
    return exitUsage;
  }
  FramePlan plan = planOf(arguments, *loaded);
  vk::DeviceOptions options;
  options.select = arguments.graph.device;
  options.validate = arguments.graph.validate;
  std::optional<vk::Device> device;
  std::optional<OrderedPasses> passes;
  {
    const Profile::Span span(profile, "device");
    device.emplace(options);
  }
  {
    const Profile::Span span(profile, "compile");
    passes = scheduleFor(arguments.graph, targetOf(arguments.graph, device->info()), *loaded);
  }
  if (passes && isTuned(arguments, *device, *loaded, plan, passes->choices)) {
    const Profile::Span span(profile, "compile");
    passes = scheduleFor(arguments.graph, targetOf(arguments.graph, device->info()), std::move(*loaded));
  }
  if (!passes) {
    return exitUsage;
  }
  try {
    Session session(*device, std::move(*passes), moduleSearchPath(arguments.graph.modules),
                    ShaderCache::defaultFolder(), profile,
                    arguments.graph.debugShaders ? DebugInfo::sources : DebugInfo::none);
    return FrameRun(arguments, *device, session, std::move(plan), out).run();
  } catch (const vk::DeviceError& error) {
    // The device is there; this graph was too much for it.
    printError(error.what());
    return exitFailed;
  } catch (const ShaderError&) {
    if (!reportShaders(arguments.graph)) {
      throw;
    }
    return exitUsage;
  }
}

int runReported(const RunArguments& arguments, nlohmann::ordered_json& out) {
  if (arguments.profile.empty()) {
    return runProfiled(arguments, nullptr, out);
  }
  const bool toStdout = arguments.profile == "-";
  if (toStdout && arguments.time) {
    printError("--profile - and --time would both print to stdout: write the profile to a file");
    return exitUsage;
  }
  if (const auto reason = toStdout ? std::nullopt : unwritable(arguments.profile)) {
    printError(fmt::format("--profile {}", *reason));
    return exitUsage;
  }
  Profile profile;
  profile.nameThread("main");
  const auto write = [&] {
    if (toStdout) {
      fmt::print("{}", profile.json());
    } else {
      profile.write(arguments.profile);
    }
  };
  int code = exitOk;
  try {
    code = runProfiled(arguments, &profile, out);
  } catch (...) {
    write();
    throw;
  }
  if (code != exitUsage) {
    write();
  }
  return code;
}

}  // namespace

int runGraph(const RunArguments& arguments) {
  return reported(arguments.json, [&](nlohmann::ordered_json& out) { return runReported(arguments, out); });
}

}  // namespace lacuna
