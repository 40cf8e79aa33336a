#include "tools/lacuna/device/throughput.h"

#include <algorithm>

namespace lacuna {
namespace {

constexpr uint32_t warpThreads = 32;
constexpr uint32_t groupsOfAll = 4096;  // a GPU's last, half-empty round of them counts for little
constexpr uint32_t groupsOfCpu = 256;
constexpr uint32_t warpsOfAll = 8;

double stepNs(DeviceBench& bench, const ThroughputKernel& kernel, uint32_t warps, uint32_t groups) {
  TimedKernel timed(bench.device(), {kernel.factors, {"result", kernel.resultBytes}},
                    {{kernel.name,
                      kernel.glsl,
                      {{0, AccessKind::read}, {1, AccessKind::write}},
                      groups,
                      {static_cast<int32_t>(warps * warpThreads)},
                      kernel.matrices}});
  return bench.nsPerStep(timed);
}

}  // namespace

ChartSeries timesByWarps(DeviceBench& bench, const ThroughputKernel& kernel) {
  const uint32_t most = std::min(32U, bench.info().limits.maxWorkgroupInvocations / warpThreads);
  std::vector<double> all;
  for (uint32_t warps = 1; warps <= most; warps += warps < 16 ? 1 : 4) {
    all.push_back(warps);
  }
  ChartSeries series{kernel.name};
  for (const double warps : bench.chosen(all)) {
    series.points.push_back({warps, stepNs(bench, kernel, static_cast<uint32_t>(warps), 1)});
  }
  return series;
}

Throughput throughputOf(DeviceBench& bench, const ThroughputKernel& kernel, const ChartSeries& byWarps) {
  Throughput best;
  for (const ChartPoint& point : byWarps.points) {
    best.onePerSecond = std::max(best.onePerSecond, 1e9 * point.x * kernel.operations / point.y);
  }
  const uint32_t groups = bench.info().isCpu() ? groupsOfCpu : groupsOfAll;
  const double operations = kernel.operations * warpsOfAll * groups;
  best.devicePerSecond = 1e9 * operations / stepNs(bench, kernel, warpsOfAll, groups);
  return best;
}

}  // namespace lacuna
