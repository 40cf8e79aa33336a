// Copies within the device's memory, by size: caches hold a part of small ones; and multiply-adds in f32
// without tensor cores.

#include <algorithm>

#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
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

}  // namespace

ResultTable measureCopy(DeviceBench& bench) {
  Curve series{"GB/s"};
  const double most = static_cast<double>(copyBytes(bench.info()));
  std::vector<double> sizes;
  for (double bytes = mebibyte; bytes < most; bytes *= 2.0) {
    sizes.push_back(bytes);
  }
  for (const double bytes : bench.chosen(sizes)) {
    series.points.push_back({bytes, 1e-9 * copyBandwidth(bench.device(), static_cast<uint64_t>(bytes))});
  }
  const double bandwidth = copyBandwidth(bench.device());
  TuningCache(ShaderCache::defaultFolder(), bench.info(), {}).setBandwidth(bandwidth);  // for floors in plans
  series.points.push_back({most, 1e-9 * bandwidth});
  ResultTable table = tableOf("copies within the device's memory", "byte",
                              "GB/s read and written, by size of the copy", {series});
  table.figures = {{"copy", bandwidth, "byte/s"}};
  table.notes = {"by a shader or by the driver, the faster one; the figure is of the largest copy"};
  return table;
}

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

}  // namespace lacuna
