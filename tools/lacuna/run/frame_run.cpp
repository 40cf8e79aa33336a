#include "tools/lacuna/run/frame_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/run/run_summary.h"
#include "tools/shell/interrupt.h"
#include "tools/shell/messages.h"
#include "tools/shell/report.h"
#include "tools/timing/time_table.h"

namespace lacuna {

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
  options_.timesPasses = arguments.time;
  // Times would be wrong if frames shared the device with each other and with codecs.
  options_.inFlight = arguments.time ? 1 : arguments.inFlight;
  options_.progress = [this](const RunProgress& now) { take(now); };
  options_.warning = printWarning;
  options_.note = [this](const std::string& text) {
    if (!arguments_.quiet) {
      printNote(text);
    }
  };
  options_.cancelled = [this] { return Interrupts::signal() != 0 || !isValid_; };
}

int FrameRun::run(const std::function<PartedResult()>& work, const GraphPlan* plan) {
  const Interrupts interrupts;
  try {
    const PartedResult result = work();
    printSummary(result.run);
    return codeOf(result, plan);
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

void FrameRun::take(const RunProgress& now) {
  if (arguments_.watch) {
    arguments_.watch(now);
  }
  progress_.update(now);
  soFar_.done = now.done;
  soFar_.warmedUp = now.warmedUp;
  if (!now.damaged.empty() && !arguments_.watch) {
    printError(fmt::format("frame {} is left out: {}", now.frame, now.damaged));
  } else if (now.damaged.empty() && !now.isWarmUp) {
    written_.add(now.frame);
    if (arguments_.time) {
      timings_.push_back(now.passMs);
    }
  }
  isValid_ = isValid_ && (!arguments_.graph.validate || validationMessages() == validatedBefore_);
}

int FrameRun::codeOf(const PartedResult& result, const GraphPlan* plan) {
  const RunResult& end = result.run;
  if (plan != nullptr && !timings_.empty() && arguments_.json) {
    out_["passes"] = timeTable(plan->passes, timings_, 0.0).rows;
  } else if (plan != nullptr && !timings_.empty()) {
    printTimes(devices_.front(), plan->passes, timings_, writesStandardOutput(graph_) ? stderr : stdout);
  }
  if (!isValid_) {
    return reportInvalid();
  }
  if (end.cancelled) {
    if (!arguments_.quiet) {
      printNote(fmt::format("interrupted: {} of {} frames are written{}", end.done, graph_.frames().size(),
                            isSequence() ? "; --resume runs the others" : ""));
    }
    return exitSignal + Interrupts::signal();
  }
  if (!result.failed.empty()) {
    return reportFailed(result);
  }
  return end.damaged.empty() ? exitOk : exitFiles;
}

int FrameRun::reportInvalid() const {
  for (const Device& device : devices_) {
    for (const std::string& message : device.validationMessages()) {
      printNote("validation: " + message);
    }
  }
  return exitFailed;
}

int FrameRun::reportFailed(const PartedResult& result) const {
  for (const std::string& text : result.failed) {
    printError(text);
  }
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
  if (!arguments_.json && !arguments_.quiet && !arguments_.isStep && !isInBatch && !text.empty()) {
    printLine(text);
  }
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
  for (const Device& device : devices_) {
    count += device.validationMessages().size();
  }
  return count;
}

}  // namespace lacuna
