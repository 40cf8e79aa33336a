#include "graph/run/tune/quiet_tuning.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "graph/schedule/select.h"

namespace lacuna {
namespace {

constexpr double shareOfRun = 0.1;
constexpr double mostSeconds = 10.0;
constexpr double secondsEach = 0.2;  // to compile one schedule and to run it a few times
constexpr size_t fewest = 2, most = 8;
constexpr int fewestKnown = 2;    // a single measurement is that of a kernel whose measuring was interrupted
constexpr int manyFrames = 250;   // number of frames from which on a kernel is tried
constexpr int mostOfFamily = 3;   // so that variants of one family don't displace the others
constexpr double nearTop = 1.35;  // times the best estimate: the model's possible error

constexpr int quietRounds = 8;

}  // namespace

FilterPick quietTuning(const FilterChoice& choice, const QuietSituation& situation) {
  const auto& all = choice.candidates;
  const auto known = std::ranges::count_if(all, isMeasured);
  if (known >= fewestKnown || choice.forced || all.empty() || !all.front().rejected.empty() ||
      (situation.cpu && !situation.always))
    return {};
  const double expected = 1e-3 * all.front().ms * situation.frames;
  FilterPick tuning;
  tuning.seconds = mostSeconds;
  if (expected > 0.0 && !situation.always)
    tuning.seconds = std::min(mostSeconds, shareOfRun * expected);
  else if (!situation.always)
    tuning.bestRuns = shareOfRun * situation.frames;
  const auto affordable = static_cast<size_t>(tuning.seconds / secondsEach);
  if (affordable < fewest || (tuning.bestRuns > 0.0 && situation.frames < manyFrames))
    return {};
  std::map<std::string, int> families;
  for (const ScheduleCandidate& candidate : all) {
    const bool isNear =
        candidate.exact && candidate.rejected.empty() && candidate.ms <= nearTop * all.front().ms;
    if (isNear && tuning.schedules.size() < std::min(most, affordable) &&
        families[candidate.family]++ < mostOfFamily) {
      tuning.schedules.push_back(candidate.name);
      tuning.searched.push_back(candidate.family);
    }
  }
  return tuning.schedules.size() < fewest ? FilterPick{} : tuning;
}

std::vector<FilterTimes> tuneQuietly(vk::Device& device, const NodeGraph& graph,
                                     const std::vector<FilterChoice>& planned, const CompileOptions& layout,
                                     const QuietRun& run) {
  QuietSituation situation;
  situation.cpu = device.info().isCpu();
  situation.frames = run.frames;
  situation.always = std::getenv("LACUNA_TUNE_ALWAYS") != nullptr;  // tests have no GPU
  const auto picked = [&](const FilterChoice& choice) { return quietTuning(choice, situation); };
  if (std::ranges::all_of(planned,
                          [&](const FilterChoice& choice) { return picked(choice).schedules.empty(); }))
    return {};
  TuneOptions options;
  options.includePath = run.includePath;
  options.cacheFolder = run.cacheFolder;
  options.frame = run.firstFrame;
  options.rounds = quietRounds;
  options.pick = [&](const Filter&, const FilterChoice& choice) { return picked(choice); };
  return tuneGraph(device, graph, layout, options);
}

}  // namespace lacuna
