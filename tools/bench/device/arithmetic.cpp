// Multiply-adds in f32 without tensor cores.

#include "tools/bench/device/experiments.h"
#include "tools/bench/device/throughput.h"

namespace lacuna {
namespace {

constexpr double multiplyAddsPerStep = 32.0 * 64.0;  // of a warp

}  // namespace

DeviceChart measureArithmetic(DeviceBench& bench) {
  const ThroughputKernel kernel{"f32", benchShader("arithmetic"),
                                bufferOf("factors", std::vector<float>{0.5F, 1.0F}),
                                2.0 * multiplyAddsPerStep, 32};
  DeviceChart chart{"", "multiply-adds in f32 by warps on one multiprocessor", "warps",
                    "ns for 64 multiply-adds in each thread"};
  chart.series = {timesByWarps(bench, kernel)};
  const Throughput found = throughputOf(bench, kernel, chart.series.front());
  chart.figures = {{"one multiprocessor", found.onePerSecond, "op/s"},
                   {"all of them", found.devicePerSecond, "op/s"},
                   {"times one", found.devicePerSecond / found.onePerSecond, ""}};
  chart.notes = {"a multiply-add counts as two operations"};
  return chart;
}

}  // namespace lacuna
