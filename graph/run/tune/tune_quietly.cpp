#include "graph/run/tune/tune_quietly.h"

#include <algorithm>
#include <cstdlib>

#include "graph/run/tune/quiet_tuning.h"

namespace lacuna {
namespace {

constexpr int quietRounds = 8;

}  // namespace

std::vector<FilterTimes> tuneQuietly(vk::Device& device, const NodeGraph& graph,
                                     const std::vector<FilterPlan>& planned, const CompileOptions& layout,
                                     const QuietRun& run) {
  QuietSituation situation;
  situation.cpu = device.info().isCpu();
  situation.frames = run.frames;
  situation.always = std::getenv("LACUNA_TUNE_ALWAYS") != nullptr;  // tests have no GPU
  const auto picked = [&](const FilterPlan& choice) { return quietTuning(choice, situation); };
  if (std::all_of(planned.begin(), planned.end(),
                  [&](const FilterPlan& choice) { return picked(choice).schedules.empty(); })) {
    return {};
  }
  TuneOptions options;
  options.includePath = run.includePath;
  options.cacheFolder = run.cacheFolder;
  options.frame = run.firstFrame;
  options.rounds = quietRounds;
  options.pick = [&](const Filter&, const FilterPlan& choice) { return picked(choice); };
  return tuneGraph(device, graph, layout, options);
}

}  // namespace lacuna
