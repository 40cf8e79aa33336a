#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>

#include "graph/run/files.h"
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

struct FrameRange {
  int first = 0;
  int last = -1;  // -1: the graph's last
};

std::optional<FrameRange> parseRange(const std::string& text) {
  FrameRange range;
  int used = 0;
  if (text.empty()) {
    return range;
  }
  const bool two = std::sscanf(text.c_str(), "%9d-%9d%n", &range.first, &range.last, &used) == 2;
  if (!two && std::sscanf(text.c_str(), "%9d%n", &range.first, &used) == 1) {
    range.last = range.first;
  }
  if (static_cast<size_t>(used) != text.size() || range.first < 0 || range.last < range.first) {
    fmt::print(stderr, "lacuna: --frames {}: expected A-B or A, with 0 <= A <= B\n", text);
    return std::nullopt;
  }
  return range;
}

// The frames to run, or nothing where the arguments are wrong (and that has been said).
std::optional<std::vector<int>> framesToRun(const RunArguments& arguments, FrameRange range,
                                            LoadedGraph& loaded) {
  ModuleGraph asked = loaded.graph.modules;
  range.last = range.last < 0 ? asked.frames - 1 : range.last;
  // --frames may ask for more than the graph says, and then every sink must number its files.
  asked.frames = range.last - range.first + 1;
  checkSinks(asked, loaded.diagnostics);
  if (!loaded.ok()) {
    fmt::print(stderr, "{}", loaded.diagnostics.render());
    return std::nullopt;
  }
  std::vector<int> frames = frameRange(range.first, range.last);
  if (!arguments.resume) {
    return frames;
  }
  if (const std::string input = feedbackInput(loaded.graph); !input.empty()) {
    fmt::print(stderr,
               "lacuna: --resume: {} takes the frame before, so a sequence can't be taken up in its middle; "
               "run it without --resume\n",
               input);
    return std::nullopt;
  }
  std::vector<int> missing = unfinishedFrames(loaded.graph.modules, frames);
  if (!arguments.quiet && missing.size() < frames.size()) {
    fmt::print(stderr, "{} of {} frames are there already\n", frames.size() - missing.size(), frames.size());
  }
  return missing;
}

void printMessages(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) {
    fmt::print(stderr, "lacuna: validation: {}\n", message);
  }
}

int runFrames(const RunArguments& arguments, vk::Device& device, Session& session, std::vector<int> frames) {
  const Interrupts interrupts;
  Progress progress(arguments.quiet ? ShowProgress::never : arguments.progress,
                    static_cast<int>(frames.size()));
  session.onWarning([&](const std::string& text) { progress.message("lacuna: warning: " + text); });
  std::vector<vk::Timings> timings;
  std::atomic<bool> isValid = true;  // workers ask, too
  StreamOptions options;
  options.frames = std::move(frames);
  options.timePasses = arguments.time;
  // Frames that share the device with codecs and with each other would be timed wrong.
  options.inFlight = arguments.time ? 1 : arguments.inFlight;
  options.progress = [&](const StreamProgress& now) {
    progress.update(now);
    if (arguments.time) {
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
    printTimes(device, session.schedule(), timings);
  }
  if (!isValid) {
    printMessages(device.validationMessages());
    return exitFailed;
  }
  if (end.stopped) {
    if (!arguments.quiet) {
      const bool resumes = options.frames.size() > 1 && feedbackInput(session.schedule().graph).empty();
      fmt::print(stderr, "lacuna: interrupted: {} of {} frames are written{}\n", end.done,
                 options.frames.size(), resumes ? "; --resume runs the others" : "");
    }
    return exitSignal + Interrupts::signal();
  }
  return exitOk;
}

int runProfiled(const RunArguments& arguments, Profile* profile) {
  const auto range = parseRange(arguments.frames);
  if (!range) {
    return exitUsage;
  }
  std::optional<LoadedGraph> loaded;
  {
    const Profile::Span span(profile, "load");
    loaded = loadFor(arguments.graph, arguments.graph.graph, range->first);
  }
  const auto frames = loaded->ok() ? framesToRun(arguments, *range, *loaded) : std::nullopt;
  if (!frames) {
    return exitUsage;
  }
  if (frames->empty()) {
    return exitOk;
  }
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
  if (schedule && tuneQuietly(arguments, *device, *loaded, *frames, *schedule)) {
    const Profile::Span span(profile, "compile");
    schedule = scheduleFor(arguments.graph, targetOf(arguments.graph, device->info()), std::move(*loaded));
  }
  if (!schedule) {
    return exitUsage;
  }
  try {
    Session session(*device, std::move(*schedule), moduleSearchPath(arguments.graph.modules),
                    ShaderCache::defaultFolder(), profile);
    return runFrames(arguments, *device, session, *frames);
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
