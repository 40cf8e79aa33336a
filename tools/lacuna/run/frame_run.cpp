#include "tools/lacuna/run/frame_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

#include "graph/config/text.h"
#include "graph/door/state.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/shell/messages.h"
#include "tools/shell/program.h"
#include "tools/shell/progress.h"
#include "tools/timing/time_table.h"

namespace lacuna {
namespace {

std::vector<std::string> filesOf(const Graph& graph, int frame) {
  std::vector<std::string> files = graph.outputFiles(frame);
  std::replace(files.begin(), files.end(), std::string(standardStream), std::string("standard output"));
  return files;
}

std::string counted(size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// For a run with history that begins after the first frame: how its frames relate to those of the whole
// sequence.
std::string historyText(const Graph& graph) {
  const auto& state = door::Access::of(graph);
  const FrameSet& starts = state->plan.starts;
  NodeGraph modulesAlone = state->loaded.graph;
  modulesAlone.modules.warmUp.reset();
  const WarmUp needed = warmUpOf(modulesAlone);
  if (!needed.needsEarlier() || starts.empty() || starts.back() == 0)
    return {};
  const FrameSet& frames = state->plan.frames;
  const int first = frames.between(starts.back(), frames.back()).front();
  const int before = first - starts.back();
  const bool isShort = !needed.frames || before < *needed.frames;
  return fmt::format(
      "\nframe {} has a history of {}{}", first + state->loaded.graph.modules.firstNumber,
      counted(static_cast<size_t>(before), "frame"),
      isShort
          ? fmt::format(", less than it depends on ({}): it differs from the whole sequence's", print(needed))
          : ": it is the whole sequence's within rounding");
}

}  // namespace

std::string runSummary(const Graph& graph, const RunResult& end, double seconds) {
  const FrameSet& wanted = graph.frames();
  const auto done = static_cast<size_t>(end.done);
  if (wanted.empty() || (end.done == 0 && end.damaged.empty()))
    return {};
  const std::vector<std::string> files = filesOf(graph, wanted.front());
  std::string text;
  if (wanted.size() == 1 && end.warmedUp == 0 && end.damaged.empty() && !files.empty())
    return fmt::format("{} written in {}", fmt::join(files, ", "), duration(seconds));
  text = done < wanted.size() ? fmt::format("{} of {} frames", done, wanted.size()) : counted(done, "frame");
  text += end.warmedUp > 0 ? fmt::format(" and {} of warm-up", end.warmedUp) : "";
  text += fmt::format(" in {}, {:.1f} a second", duration(seconds),
                      (end.done + end.warmedUp) / std::max(seconds, 1e-3));
  text += files.empty() ? "" : ": " + counted(done * files.size(), "file");
  if (!end.damaged.empty()) {
    const auto nameOf = [](int frame) { return std::to_string(frame); };
    text += fmt::format("\n{} left out because of files that can't be read: {}",
                        counted(end.damaged.size(), "frame"), listFrames(end.damaged, nameOf));
  }
  return text + historyText(graph);
}

nlohmann::ordered_json runJson(const Graph& graph, const RunResult& end, const FrameSet& written,
                               double seconds) {
  nlohmann::ordered_json out = {{"frames", end.done},
                                {"warmUpFrames", end.warmedUp},
                                {"seconds", seconds},
                                {"files", nlohmann::json::array()}};
  for (const int frame : written)
    for (const std::string& file : filesOf(graph, frame))
      out["files"].push_back(file);
  out["leftOut"] = nlohmann::json::array();
  for (const int frame : end.damaged)
    out["leftOut"].push_back(frame);
  return out;
}

bool writesStandardOutput(const Graph& graph) {
  const std::vector<std::string> files = graph.outputFiles(graph.frames().front());
  return std::find(files.begin(), files.end(), standardStream) != files.end();
}

FrameRun::FrameRun(const RunArguments& arguments, const std::vector<Device>& devices, const Graph& graph,
                   nlohmann::ordered_json& out)
    : arguments_(arguments),
      devices_(devices),
      graph_(graph),
      out_(out),
      validatedBefore_(validationMessages()),
      progress_(arguments.quiet || arguments.watch ? ShowProgress::never : arguments.progress,
                graph.frames().size()) {
  options_.timesPasses = timesPasses();
  // Times would be wrong if frames shared the device with each other and with codecs.
  options_.inFlight = timesPasses() ? 1 : arguments.inFlight;
  options_.progress = [this](const RunProgress& now) { take(now); };
  options_.warning = printWarning;
  options_.note = [this](const std::string& text) {
    if (!arguments_.quiet)
      printNote(text);
  };
  options_.cancelled = [this] { return Interrupts::signal() != 0 || !isValid_; };
}

int FrameRun::run(const std::function<PartedResult()>& work, const PlanReport* plan) {
  const Interrupts interrupts;
  try {
    const PartedResult result = work();
    printSummary(result.run);
    return codeOf(result, plan);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::file)
      throw;
    printException(error);
    printWayOut(error.kind() == ErrorKind::input);
    printSummary(soFar_);
    return exitFiles;
  }
}

void FrameRun::take(const RunProgress& now) {
  if (arguments_.watch)
    arguments_.watch(now);
  progress_.update(now);
  soFar_.done = now.done;
  soFar_.warmedUp = now.warmedUp;
  if (!now.damaged.empty() && !arguments_.watch) {
    printError(fmt::format("frame {} is left out: {}", now.frame, now.damaged));
  } else if (now.damaged.empty() && !now.isWarmUp) {
    written_.add(now.frame);
    if (timesPasses())
      timings_.push_back(now.passMs);
  }
  isValid_ = isValid_ && (!arguments_.graph.validate || validationMessages() == validatedBefore_);
}

int FrameRun::codeOf(const PartedResult& result, const PlanReport* plan) {
  const RunResult& end = result.run;
  if (plan != nullptr && !timings_.empty() && arguments_.time && arguments_.json)
    out_["passes"] = timeTable(plan->passes, timings_, 0.0).rows;
  else if (plan != nullptr && !timings_.empty() && arguments_.time)
    printTimes(devices_.front(), plan->passes, timings_, writesStandardOutput(graph_) ? stderr : stdout);
  if (!isValid_)
    return reportInvalid();
  if (end.cancelled) {
    if (!arguments_.quiet) {
      printNote(fmt::format("interrupted: {} of {} frames are written{}", end.done, graph_.frames().size(),
                            isSequence() ? "; --resume runs the others" : ""));
    }
    return exitSignal + Interrupts::signal();
  }
  if (!result.failed.empty())
    return reportFailed(result);
  return end.damaged.empty() ? exitOk : exitFiles;
}

int FrameRun::reportInvalid() const {
  for (const Device& device : devices_)
    for (const std::string& message : device.validationMessages())
      printNote("validation: " + message);
  return exitFailed;
}

int FrameRun::reportFailed(const PartedResult& result) const {
  for (const std::string& text : result.failed)
    printError(text);
  if (result.left.empty()) {
    printNote("the other devices have run its frames");
  } else {
    const auto nameOf = [&](int frame) { return graph_.outputFiles(frame).front(); };
    printError(fmt::format("{} of {} frames are not written, since no device is left: {}", result.left.size(),
                           graph_.frames().size(), listFrames(result.left, nameOf)));
  }
  return exitFailed;
}

void FrameRun::printSummary(const RunResult& end) {
  const double seconds = commandSeconds() - arguments_.begun;
  out_.update(runJson(graph_, end, written_, seconds));
  const std::string text = runSummary(graph_, end, seconds);
  const bool isInBatch = arguments_.watch || (arguments_.runs > 1 && !isSequence());  // reported at its end
  if (!arguments_.json && !arguments_.quiet && !arguments_.isStep && !isInBatch && !text.empty())
    printLine(text);
}

// After an error.
void FrameRun::printWayOut(bool isInput) const {
  if (isSequence() && !arguments_.quiet) {
    printNote(fmt::format("--resume runs the frames that are not written yet{}",
                          isInput ? "; --skip-damaged skips those whose files can't be read" : ""));
  }
}

size_t FrameRun::validationMessages() const {
  size_t count = 0;
  for (const Device& device : devices_)
    count += device.validationMessages().size();
  return count;
}

}  // namespace lacuna
