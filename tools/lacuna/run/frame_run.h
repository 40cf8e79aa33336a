#pragma once
// Prints progress and results of a graph's frames: frames, files, seconds, and failures.

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/lacuna.h"
#include "tools/lacuna/run/many_devices.h"
#include "tools/shell/arguments.h"
#include "tools/shell/progress.h"

namespace lacuna {

bool writesStandardOutput(const Graph& graph);

class FrameRun {
 public:
  FrameRun(const RunArguments& arguments, const std::vector<Device>& devices, const Graph& graph,
           nlohmann::ordered_json& out);

  // Callbacks for Pipeline::run, which print, and end the run on signals and messages of validation.
  const RunOptions& options() const { return options_; }
  // The exit code. `work` runs the frames; `plan` is the pipeline's, for --time.
  int run(const std::function<PartedResult()>& work, const PlanReport* plan);
  const std::vector<std::vector<double>>& times() const { return timings_; }  // of passes, for each frame

 private:
  bool timesPasses() const { return arguments_.time || !arguments_.report.empty(); }
  void take(const RunProgress& now);
  int codeOf(const PartedResult& result, const PlanReport* plan);
  int reportInvalid() const;
  int reportFailed(const PartedResult& result) const;
  void printSummary(const RunResult& end);
  void printWayOut(bool isInput) const;
  size_t validationMessages() const;
  bool isSequence() const { return graph_.frames().size() > 1 && !arguments_.watch; }

  const RunArguments& arguments_;
  const std::vector<Device>& devices_;
  const Graph& graph_;
  nlohmann::ordered_json& out_;   // for --json
  const size_t validatedBefore_;  // messages of earlier runs on the devices
  Progress progress_;
  RunOptions options_;
  RunResult soFar_;
  FrameSet written_;
  std::vector<std::vector<double>> timings_;
  std::atomic<bool> isValid_ = true;  // workers ask, too
};

// "out.png written in 0.4 s" for one frame; "6 frames in 3.2 s, 1.9 a second: 12 files" for more, and a line
// of frames that were left out. "" if nothing was done.
std::string runSummary(const Graph& graph, const RunResult& end, double seconds);

// For --json: "frames" that are written, "warmUpFrames", "seconds", "files", and "leftOut", the numbers of
// frames that could not be read.
nlohmann::ordered_json runJson(const Graph& graph, const RunResult& end, const FrameSet& written,
                               double seconds);

}  // namespace lacuna
