#include "tools/lacuna/run/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/door/state.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/shell/progress.h"

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
  if (!needed.needsEarlier() || starts.empty() || starts.back() == 0) {
    return {};
  }
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
  if (wanted.empty() || (end.done == 0 && end.damaged.empty())) {
    return {};
  }
  const std::vector<std::string> files = filesOf(graph, wanted.front());
  std::string text;
  if (wanted.size() == 1 && end.warmedUp == 0 && end.damaged.empty() && !files.empty()) {
    return fmt::format("{} written in {}", fmt::join(files, ", "), duration(seconds));
  }
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
  for (const int frame : written) {
    for (const std::string& file : filesOf(graph, frame)) {
      out["files"].push_back(file);
    }
  }
  out["leftOut"] = nlohmann::json::array();
  for (const int frame : end.damaged) {
    out["leftOut"].push_back(frame);
  }
  return out;
}

}  // namespace lacuna
