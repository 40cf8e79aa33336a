#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>

#include "graph/run/frame_plan.h"
#include "graph/run/profile.h"
#include "graph/run/resume.h"
#include "graph/run/stream.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/graph_arguments.h"
#include "tools/lacuna/interrupt.h"
#include "tools/lacuna/progress.h"
#include "tools/lacuna/quiet_tune.h"
#include "tools/lacuna/time_table.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

// Which frames are to run, told to the loader. Says on the way how many need not, with --resume.
WantedFrames wantedFrames(const RunArguments& arguments, FrameRange range) {
  const auto frames = [&arguments, range](const ModuleGraph& graph) {
    std::vector<int> all = range.in(graph);
    std::vector<int> missing = arguments.resume ? unfinishedFrames(graph, all) : all;
    if (!arguments.quiet && missing.size() < all.size()) {
      fmt::print(stderr, "{} of {} frames are there already\n", all.size() - missing.size(), all.size());
    }
    return missing;
  };
  return {frames, arguments.missing};
}

// With the frames that those to run depend on.
FramePlan planOf(const RunArguments& arguments, const LoadedGraph& loaded) {
  WarmUp warmUp = warmUpOf(loaded.graph);
  if (arguments.warmUp >= 0) {
    warmUp.frames = arguments.warmUp;
  }
  const auto has = [&](int frame) { return hasFiles(loaded.graph.modules, frame); };
  FramePlan plan = planFrames(loaded.frames, warmUp, arguments.missing, has);
  if (plan.stoppedBy >= 0) {
    fmt::print(stderr,
               "lacuna: warning: frame {} has no input files, so frames before it are not run for those that "
               "follow; these may differ from the whole sequence's\n",
               plan.stoppedBy);
  }
  return plan;
}

void printMessages(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) {
    fmt::print(stderr, "lacuna: validation: {}\n", message);
  }
}

int runFrames(const RunArguments& arguments, vk::Device& device, Session& session, FramePlan plan) {
  const Interrupts interrupts;
  Progress progress(arguments.quiet ? ShowProgress::never : arguments.progress,
                    static_cast<int>(plan.frames.size()));
  session.onWarning([&](const std::string& text) { progress.message("lacuna: warning: " + text); });
  std::vector<vk::Timings> timings;
  std::atomic<bool> isValid = true;  // workers ask, too
  StreamOptions options;
  options.frames = std::move(plan.frames);
  options.warmUp = std::move(plan.warmUp);
  options.starts = std::move(plan.starts);
  options.timePasses = arguments.time;
  // Frames that share the device with codecs and with each other would be timed wrong.
  options.inFlight = arguments.time ? 1 : arguments.inFlight;
  options.progress = [&](const StreamProgress& now) {
    progress.update(now);
    if (arguments.time && !now.isWarmUp) {
      timings.push_back(now.timings);
    }
    isValid = isValid && (!arguments.graph.validate || device.validationMessages().empty());
  };
  options.stop = [&] { return Interrupts::signal() != 0 || !isValid; };
  const auto start = Clock::now();
  const StreamEnd end = stream(session, options);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  progress.summary(end, seconds);
  if (arguments.time) {
    const bool isTaken = writesStandardOutput(session.schedule().graph.modules);
    printTimes(device, session.schedule(), timings, isTaken ? stderr : stdout);
  }
  if (!isValid) {
    printMessages(device.validationMessages());
    return exitFailed;
  }
  if (end.stopped) {
    if (!arguments.quiet) {
      fmt::print(stderr, "lacuna: interrupted: {} of {} frames are written{}\n", end.done,
                 options.frames.size(), options.frames.size() > 1 ? "; --resume runs the others" : "");
    }
    return exitSignal + Interrupts::signal();
  }
  return exitOk;
}

int runProfiled(const RunArguments& arguments, Profile* profile) {
  const auto range = parseFrames(arguments.frames);
  if (!range) {
    return exitUsage;
  }
  std::optional<LoadedGraph> loaded;
  {
    const Profile::Span span(profile, "load");
    loaded = loadFor(arguments.graph, arguments.graph.graph, wantedFrames(arguments, *range));
  }
  if (!loaded->ok()) {
    return exitUsage;
  }
  if (loaded->frames.empty()) {
    return exitOk;
  }
  FramePlan plan = planOf(arguments, *loaded);
  vk::DeviceOptions options;
  options.select = arguments.graph.device;
  options.validate = arguments.graph.validate;
  std::optional<vk::Device> device;
  std::optional<Schedule> schedule;
  {
    const Profile::Span span(profile, "device");
    device.emplace(options);
  }
  {
    const Profile::Span span(profile, "compile");
    schedule = scheduleFor(arguments.graph, targetOf(arguments.graph, device->info()), *loaded);
  }
  if (schedule && tuneQuietly(arguments, *device, *loaded, plan, *schedule)) {
    const Profile::Span span(profile, "compile");
    schedule = scheduleFor(arguments.graph, targetOf(arguments.graph, device->info()), std::move(*loaded));
  }
  if (!schedule) {
    return exitUsage;
  }
  try {
    Session session(*device, std::move(*schedule), moduleSearchPath(arguments.graph.modules),
                    ShaderCache::defaultFolder(), profile);
    return runFrames(arguments, *device, session, std::move(plan));
  } catch (const vk::DeviceError& error) {
    // The device is there; this graph was too much for it.
    fmt::print(stderr, "lacuna: {}\n", error.what());
    return exitFailed;
  }
}

}  // namespace

int runGraph(const RunArguments& arguments) {
  if (arguments.profile.empty()) {
    return runProfiled(arguments, nullptr);
  }
  if (const auto reason = unwritable(arguments.profile)) {
    fmt::print(stderr, "lacuna: --profile {}\n", *reason);
    return exitUsage;
  }
  Profile profile;
  profile.nameThread("main");
  int code = exitOk;
  try {
    code = runProfiled(arguments, &profile);
  } catch (...) {
    profile.write(arguments.profile);
    throw;
  }
  if (code != exitUsage) {
    profile.write(arguments.profile);
  }
  return code;
}

}  // namespace lacuna
