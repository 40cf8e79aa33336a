#include "tools/bench/device/device_bench.h"

#include <algorithm>

#include "graph/lists.h"
#include "tools/bench/places.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

constexpr double laterPreheat = 0.05;
constexpr uint32_t mostSteps = 1U << 30U;  // twice as many fit into a word
// Mesa's CPU driver ends loops after 65535 rounds, all branches of eight threads together.
constexpr uint32_t mostStepsOfCpu = 4000;
constexpr size_t quickStride = 4;

// The number of steps that take this long. The first run is not timed: drivers may compile within it.
uint32_t stepsFor(TimedKernel& kernel, double ms, uint32_t least, uint32_t most) {
  uint32_t steps = std::min(least, most);
  kernel.run(steps);
  for (;;) {
    // The fastest of a few runs: one that waited for another program would end this loop too early.
    double took = kernel.run(steps);
    for (int again = 0; again < 2 && took >= ms; ++again) {
      took = std::min(took, kernel.run(steps));
    }
    took = std::max(took, 1e-3);
    if (took >= ms || steps >= most) {
      return steps;
    }
    const double factor = std::clamp(1.1 * ms / took, 1.5, 32.0);
    steps = static_cast<uint32_t>(std::min<double>(most, factor * steps + 1.0));
  }
}

}  // namespace

std::vector<double> DeviceBench::chosen(const std::vector<double>& all) const {
  std::vector<double> points;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!lab_.arguments.quick || i % quickStride == 0 || i + 1 == all.size()) {
      points.push_back(all[i]);
    }
  }
  return points;
}

double DeviceBench::nsPerStep(TimedKernel& kernel, uint32_t leastSteps) {
  // A launch takes microseconds on a GPU, and tenths of a millisecond if threads of a CPU wake up.
  const double runMs = info().isCpu() ? 2.0 : 0.25;
  const uint32_t steps = stepsFor(kernel, runMs, leastSteps, info().isCpu() ? mostStepsOfCpu : mostSteps);
  preheat([&] { return kernel.run(steps); }, (isWarm_ ? laterPreheat : 1.0) * lab_.effort.preheatMs);
  isWarm_ = true;
  std::vector<double> once, twice;
  BenchRuns runs(lab_.effort);
  while (runs.next()) {
    once.push_back(kernel.run(steps));
    twice.push_back(kernel.run(2 * steps));
  }
  const double onceMs = median(once), twiceMs = median(twice);
  // On a very busy machine more steps may take less time; the difference is then unknown.
  return 1e6 * (twiceMs > 1.5 * onceMs ? twiceMs - onceMs : 0.5 * twiceMs) / steps;
}

std::string benchShader(const std::string& name) {
  return benchText("device/" + name + ".glsl");
}

}  // namespace lacuna
