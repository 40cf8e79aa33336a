#include "tools/lacuna/plan/quiet_tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "graph/run/tune/quiet_tuning.h"
#include "graph/run/tune/tune.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

constexpr int rounds = 8;

void tell(const std::vector<FilterTuning>& tunings, double seconds) {
  for (const FilterTuning& tuning : tunings) {
    if (!tuning.end.measured.empty()) {
      fmt::print(stderr, "{}: measured {} schedules, takes {}\n", tuning.node, tuning.end.measured.size(),
                 tuning.end.measured.front().schedule);
    }
  }
  fmt::print(stderr, "measuring took {:.1f} s (--no-tune leaves it out; it is kept for later runs)\n",
             seconds);
}

}  // namespace

bool tuneQuietly(const RunArguments& arguments, vk::Device& device, const LoadedGraph& loaded,
                 const FramePlan& plan, const std::vector<Choice>& planned) {
  QuietSituation situation;
  situation.cpu = device.info().isCpu();
  situation.frames = static_cast<int>(plan.frames.size() + plan.warmUp.size());
  situation.always = std::getenv("LACUNA_TUNE_ALWAYS") != nullptr;  // tests have no GPU
  const auto picked = [&](const Choice& choice) { return quietTuning(choice, situation); };
  if (!arguments.tune || arguments.graph.validate ||
      std::all_of(planned.begin(), planned.end(),
                  [&](const Choice& choice) { return picked(choice).schedules.empty(); })) {
    return false;
  }
  TuneOptions options;
  options.includePath = moduleSearchPath(arguments.graph.modules);
  options.cacheFolder = ShaderCache::defaultFolder();
  options.frame = plan.frames.front();
  options.rounds = rounds;
  options.pick = [&](const Filter&, const Choice& choice) {
    QuietTuning tuning = picked(choice);
    return FilterPick{std::move(tuning.schedules), tuning.seconds, tuning.bestRuns,
                      std::move(tuning.searched)};
  };
  const auto start = std::chrono::steady_clock::now();
  try {
    const std::vector<FilterTuning> tunings = tuneGraph(
        device, loaded.graph,
        compileOptionsFor(arguments.graph, targetOf(arguments.graph, device.info()), loaded.graph), options);
    if (!arguments.quiet && (arguments.progress == ShowProgress::always || arguments.time)) {
      tell(tunings, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return !tunings.empty();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace lacuna
