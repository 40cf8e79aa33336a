// Copies within the device's memory, by size: caches hold a part of small ones. And
// Vannson 2023, figure 7: global memory, loads of one thread, each from the address that the previous one
// returned. The study's permutation takes neighbouring words. Ours takes one word in each cache line of 128
// bytes, so that no load hits another one's line, and few loads visit the whole footprint.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "tools/bench/curve.h"
#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr uint32_t lineWords = 32;
constexpr uint64_t lineBytes = uint64_t{lineWords} * 4;
constexpr uint32_t fewestLines = 32;
// Footprints larger than first-level caches are warm because they were just written.
constexpr uint32_t lapLines = 16384;
constexpr uint32_t spreadThreads = 256;
constexpr uint32_t loadsPerStep = 64;

// One cycle through all entries, in random order.
std::vector<uint32_t> ringOf(uint32_t entries) {
  std::vector<uint32_t> order(entries);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937(entries));  // the same in each run
  std::vector<uint32_t> next(entries);
  for (uint32_t i = 0; i < entries; ++i)
    next[order[i]] = order[(i + 1) % entries];
  return next;
}

double latencyOf(DeviceBench& bench, uint32_t lines) {
  TimedKernel kernel(bench.device(),
                     {bufferOf("ring", ringOf(lines)), {"memory", lines * lineBytes}, {"result", 8}},
                     {{"spread",
                       benchShader("spread"),
                       {{0, AccessKind::read}, {1, AccessKind::write}},
                       (lines + spreadThreads - 1) / spreadThreads,
                       {lineWords}},
                      {"latency", benchShader("latency"), {{1, AccessKind::read}, {2, AccessKind::write}}}});
  return bench.nsPerStep(kernel, std::min(lines, lapLines) / loadsPerStep + 1) / loadsPerStep;
}

std::vector<double> footprints(const vk::DeviceInfo& info) {
  const uint64_t wanted = (info.isCpu() ? uint64_t{128} : uint64_t{512}) << 20U;
  const uint64_t most = std::min({wanted, info.memoryBytes / 8, info.limits.maxStorageBufferRange,
                                  uint64_t{info.limits.maxWorkgroups[0]} * spreadThreads * lineBytes});
  std::vector<double> lines;
  for (double count = fewestLines; std::lround(count) * lineBytes <= most; count *= std::sqrt(2.0))
    lines.push_back(static_cast<double>(std::lround(count)));
  return lines;
}

}  // namespace

ResultTable measureCopy(DeviceBench& bench) {
  Curve series{"GB/s"};
  const double most = static_cast<double>(copyBytes(bench.info()));
  std::vector<double> sizes;
  for (double bytes = mebibyte; bytes < most; bytes *= 2.0)
    sizes.push_back(bytes);
  for (const double bytes : bench.chosen(sizes))
    series.points.push_back({bytes, 1e-9 * copyBandwidth(bench.device(), static_cast<uint64_t>(bytes))});
  const double bandwidth = copyBandwidth(bench.device());
  TuningCache(ShaderCache::defaultFolder(), bench.info(), {}).setBandwidth(bandwidth);  // for floors in plans
  series.points.push_back({most, 1e-9 * bandwidth});
  ResultTable table = tableOf("copies within the device's memory", "byte",
                              "GB/s read and written, by size of the copy", {series});
  table.figures = {{"copy", bandwidth, "byte/s"}};
  table.notes = {"by a shader or by the driver, the faster one; the figure is of the largest copy"};
  return table;
}

ResultTable measureLatency(DeviceBench& bench) {
  Curve series{"ns a load"};
  for (const double lines : bench.chosen(footprints(bench.info())))
    series.points.push_back({lines * lineBytes, latencyOf(bench, static_cast<uint32_t>(lines))});
  ResultTable table = tableOf("global memory, one load after the other (Vannson 2023, figure 7)", "byte",
                              "ns a load, by footprint", {series});
  const std::vector<LatencyLevel> levels = latencyLevels(series.points);
  for (size_t i = 0; i < levels.size(); ++i) {
    table.figures.push_back({fmt::format("level {}", i + 1), levels[i].ns, "ns"});
    if (i + 1 < levels.size())
      table.figures.push_back({fmt::format("level {} ends at", i + 1), levels[i].lastBytes, "byte"});
  }
  table.notes = {"a random cycle, one word in each line of 128 bytes"};
  return table;
}

}  // namespace lacuna
