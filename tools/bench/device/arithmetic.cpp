// Multiply-adds in f32 without tensor cores.

#include "tools/bench/device/experiments.h"
#include "tools/bench/device/throughput.h"

namespace lacuna {
namespace {

constexpr double multiplyAddsPerStep = 32.0 * 64.0;  // of a warp

}  // namespace

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
