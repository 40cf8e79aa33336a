// The time until a resting device reaches its clocks, for which all benchmarks wait (preheat.h).

#include <algorithm>
#include <chrono>

#include "graph/lists.h"
#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

constexpr double watchMs = 600.0;
constexpr size_t pointsShown = 60;
constexpr uint32_t stepsOfRun = 256;  // tenths of a millisecond
constexpr double risenWithin = 1.02;

double nowMs() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

ResultTable measureClocks(DeviceBench& bench) {
  TimedKernel kernel(bench.device(), {bufferOf("factors", std::vector<float>{0.5F, 1.0F}), {"result", 8}},
                     {{"clocks",
                       benchShader("arithmetic"),
                       {{0, AccessKind::read}, {1, AccessKind::write}},
                       bench.info().isCpu() ? 16U : 1024U,
                       {256}}});
  kernel.run(1);  // drivers may compile within it
  std::vector<CurvePoint> runs;
  const double begin = nowMs();
  do {
    const double at = nowMs() - begin;
    runs.push_back({at, kernel.run(stepsOfRun)});
  } while (nowMs() - begin < watchMs);

  std::vector<double> last;
  for (size_t i = runs.size() / 2; i < runs.size(); ++i) {
    last.push_back(runs[i].y);
  }
  const double steady = median(std::move(last));
  Curve series{"time"};
  double risenMs = 0.0;
  const size_t stride = (runs.size() + pointsShown - 1) / pointsShown;
  for (size_t i = 0; i < runs.size(); ++i) {
    risenMs = runs[i].y > risenWithin * steady && i < runs.size() / 2 ? runs[i].x : risenMs;
    if (i % stride == 0) {
      series.points.push_back({runs[i].x, runs[i].y / steady});
    }
  }
  ResultTable table = tableOf("the first runs of the process: clocks rise", "ms since the first run",
                              "time of a run, by that of steady ones", {series});
  table.figures = {{"first run", runs.front().y / steady, "times a steady one"},
                   {"last run above 1.02 in the first half at", risenMs, "ms"}};
  return table;
}

}  // namespace lacuna
