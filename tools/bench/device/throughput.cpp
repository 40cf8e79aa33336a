#include "tools/bench/device/throughput.h"

#include <algorithm>

namespace lacuna {
namespace {

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

}  // namespace

Curve timesByWarps(DeviceBench& bench, const ThroughputKernel& kernel) {
  const uint32_t most = std::min(32U, bench.info().limits.maxWorkgroupInvocations / warpThreads);
  std::vector<double> all;
  for (uint32_t warps = 1; warps <= most; warps += warps < 12 ? 1 : 4) {
    all.push_back(warps);
  }
  Curve series{kernel.name};
  for (const double warps : bench.chosen(all)) {
    series.points.push_back({warps, stepNs(bench, kernel, static_cast<uint32_t>(warps))});
  }
  return series;
}

Throughput throughputOf(DeviceBench& bench, const ThroughputKernel& kernel, const Curve& byWarps) {
  Throughput best;
  for (const CurvePoint& point : byWarps.points) {
    best.onePerSecond = std::max(best.onePerSecond, 1e9 * point.x * kernel.operations / point.y);
  }
  const bool isCpu = bench.info().isCpu();
  for (uint32_t i = 0; i < (isCpu ? 1 : groupNumbers); ++i) {
    const uint32_t groups = isCpu ? groupsOfCpu : fewestGroups + i * groupsMore;
    const double operations = kernel.operations * kernel.warpsOfAll * groups;
    best.devicePerSecond =
        std::max(best.devicePerSecond, 1e9 * operations / stepNs(bench, kernel, kernel.warpsOfAll, groups));
  }
  return best;
}

}  // namespace lacuna
