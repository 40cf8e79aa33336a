// Multiply-adds in f32 without tensor cores, by warps; in the branches of Vannson 2023, section 3.2.4: 32
// threads, some of which take another branch, then 1 to 32 branches; and the time until a resting device
// reaches its clocks, for which all benchmarks wait (preheat.h).

#include <algorithm>
#include <chrono>

#include "graph/lists.h"
#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

constexpr double multiplyAddsPerStep = 32.0 * 64.0;  // of a warp
constexpr uint32_t warpThreads = 32;
// Workgroups that fill a device. Workgroups of the last round may leave a part of it empty, so several
// numbers are tried: for one of them the last round is nearly full.
constexpr uint32_t fewestGroups = 8192, groupsMore = 640, groupNumbers = 8;
constexpr uint32_t groupsOfCpu = 256;
constexpr uint32_t stepsOfAll = 8;  // at least this many, so that a workgroup's start and end hardly count

double stepNs(DeviceBench& bench, const ThroughputKernel& kernel, uint32_t warps, uint32_t groups = 1) {
  TimedKernel timed(bench.device(), {kernel.factors, {"result", kernel.resultBytes}},
                    {{kernel.name,
                      kernel.glsl,
                      {{0, AccessKind::read}, {1, AccessKind::write}},
                      groups,
                      {static_cast<int32_t>(warps * warpThreads)},
                      kernel.matrices}});
  return bench.nsPerStep(timed, groups > 1 ? stepsOfAll : 1);
}

constexpr uint32_t divergentThreads = 32;
constexpr double operationsPerStep = 64.0;  // multiply-adds, in a row

double branchNs(DeviceBench& bench, const std::vector<uint32_t>& branches) {
  TimedKernel kernel(
      bench.device(), {bufferOf("branches", branches), {"result", (1 + divergentThreads) * sizeof(float)}},
      {{"divergence", benchShader("divergence"), {{0, AccessKind::read}, {1, AccessKind::write}}}});
  return bench.nsPerStep(kernel) / operationsPerStep;
}

// The first `count` threads take branch 1, the others branch 0.
std::vector<uint32_t> twoBranches(uint32_t count) {
  std::vector<uint32_t> branches(divergentThreads, 0U);
  std::fill_n(branches.begin(), count, 1U);
  return branches;
}

// This many branches, each with as many threads as possible.
std::vector<uint32_t> distinctBranches(uint32_t count) {
  std::vector<uint32_t> branches;
  for (uint32_t thread = 0; thread < divergentThreads; ++thread)
    branches.push_back(thread * count / divergentThreads);
  return branches;
}

constexpr double watchMs = 600.0;
constexpr size_t pointsShown = 60;
constexpr uint32_t stepsOfRun = 256;  // tenths of a millisecond
constexpr double risenWithin = 1.02;

double nowMs() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Curve timesByWarps(DeviceBench& bench, const ThroughputKernel& kernel) {
  const uint32_t most = std::min(32U, bench.info().limits.maxWorkgroupInvocations / warpThreads);
  std::vector<double> all;
  for (uint32_t warps = 1; warps <= most; warps += warps < 12 ? 1 : 4)
    all.push_back(warps);
  Curve series{kernel.name};
  for (const double warps : bench.chosen(all))
    series.points.push_back({warps, stepNs(bench, kernel, static_cast<uint32_t>(warps))});
  return series;
}

Throughput throughputOf(DeviceBench& bench, const ThroughputKernel& kernel, const Curve& byWarps) {
  Throughput best;
  for (const CurvePoint& point : byWarps.points)
    best.onePerSecond = std::max(best.onePerSecond, 1e9 * point.x * kernel.operations / point.y);
  const bool isCpu = bench.info().isCpu();
  for (uint32_t i = 0; i < (isCpu ? 1 : groupNumbers); ++i) {
    const uint32_t groups = isCpu ? groupsOfCpu : fewestGroups + i * groupsMore;
    const double operations = kernel.operations * kernel.warpsOfAll * groups;
    best.devicePerSecond =
        std::max(best.devicePerSecond, 1e9 * operations / stepNs(bench, kernel, kernel.warpsOfAll, groups));
  }
  return best;
}

ResultTable measureArithmetic(DeviceBench& bench) {
  const ThroughputKernel kernel{"f32", benchShader("arithmetic"),
                                bufferOf("factors", std::vector<float>{0.5F, 1.0F}),
                                2.0 * multiplyAddsPerStep, 32};
  const Curve byWarps = timesByWarps(bench, kernel);
  const Throughput found = throughputOf(bench, kernel, byWarps);
  ResultTable table = tableOf("multiply-adds in f32 by warps on one multiprocessor", "warps",
                              "ns for 64 multiply-adds in each thread", {byWarps});
  table.figures = {{"one multiprocessor", found.onePerSecond, "op/s"},
                   {"all of them", found.devicePerSecond, "op/s"},
                   {"times one", found.devicePerSecond / found.onePerSecond, ""}};
  table.notes = {"a multiply-add counts as two operations"};
  return table;
}

ResultTable measureDivergence(DeviceBench& bench) {
  Curve two{"k take another branch"}, distinct{"k distinct branches"};
  std::vector<double> counts;
  for (uint32_t count = 0; count <= divergentThreads; ++count)
    counts.push_back(count);
  for (const double k : bench.chosen(counts)) {
    two.points.push_back({k, branchNs(bench, twoBranches(static_cast<uint32_t>(k)))});
    if (k > 0.0)
      distinct.points.push_back({k, branchNs(bench, distinctBranches(static_cast<uint32_t>(k)))});
  }
  std::vector<double> mixed;
  for (size_t i = 1; i + 1 < two.points.size(); ++i)
    mixed.push_back(two.points[i].y);
  const AffineFit fit = affineFit(distinct.points);
  ResultTable table = tableOf("32 threads in different branches (Vannson 2023, section 3.2.4)", "k",
                              "ns for a multiply-add in each branch", {two, distinct});
  table.figures = {
      {"one branch", two.points.front().y, "ns"},
      {"two branches take as long as", median(std::move(mixed)) / two.points.front().y, "times one"},
      {"each further branch", fit.slope, "ns"}};
  table.notes = {"the study found 137 ms for one branch and 274 ms for two, 2 times one"};
  return table;
}

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
  for (size_t i = runs.size() / 2; i < runs.size(); ++i)
    last.push_back(runs[i].y);
  const double steady = median(std::move(last));
  Curve series{"time"};
  double risenMs = 0.0;
  const size_t stride = (runs.size() + pointsShown - 1) / pointsShown;
  for (size_t i = 0; i < runs.size(); ++i) {
    risenMs = runs[i].y > risenWithin * steady && i < runs.size() / 2 ? runs[i].x : risenMs;
    if (i % stride == 0)
      series.points.push_back({runs[i].x, runs[i].y / steady});
  }
  ResultTable table = tableOf("the first runs of the process: clocks rise", "ms since the first run",
                              "time of a run, by that of steady ones", {series});
  table.figures = {{"first run", runs.front().y / steady, "times a steady one"},
                   {"last run above 1.02 in the first half at", risenMs, "ms"}};
  return table;
}

}  // namespace lacuna
