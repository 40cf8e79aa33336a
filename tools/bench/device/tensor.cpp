// Vannson 2023, figure 9: products of 16x16 matrices of halves on the tensor cores of one multiprocessor, by
// its number of warps. The study's warps have three matrices each, so that a product waits for the previous
// one; for comparison, eight independent sums.

#include <random>

#include "tools/bench/device/device_bench.h"
#include "tools/bench/device/tensor_shader.h"
#include "tools/bench/places.h"

namespace lacuna {
namespace {

constexpr double productsPerStep = 64.0;  // of a warp
constexpr double operationsPerProduct = 2.0 * 16 * 16 * 16;
constexpr size_t matrixNumbers = size_t{16} * 16;
constexpr uint64_t sumBytes = matrixNumbers * 4;
constexpr uint64_t warpsOfGroup = 32;

constexpr TensorKernel tensorKernels[] = {
    {"f32, 4 sums", false, 4}, {"f32, 1 sum", false, 1}, {"f16, 4 sums", true, 4}, {"f16, 1 sum", true, 1}};

// A, B and -B: random, of both signs, between 1/4 and 1/2, so that their bits change like those of data.
KernelBuffer tensorFactors() {
  constexpr uint16_t quarter = 0x3400, mantissa = 0x03ff, minus = 0x8000;
  std::mt19937 random(16);  // the same matrices in each run
  std::vector<uint16_t> halves(3 * matrixNumbers);
  for (size_t i = 0; i < 2 * matrixNumbers; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    halves[i] = static_cast<uint16_t>(quarter | (bits & mantissa) | ((bits >> 16U) & minus));
  }
  for (size_t i = 0; i < matrixNumbers; ++i)
    halves[2 * matrixNumbers + i] = halves[matrixNumbers + i] ^ minus;
  return bufferOf("factors", halves);
}

}  // namespace

ResultTable measureTensor(DeviceBench& bench) {
  const vk::Limits& limits = bench.info().limits;
  if (limits.matrices == MatrixKind::emulated)
    throw vk::DeviceError("the device has no cooperative matrices of 16x16x16 halves");
  const MatrixUse use{limits.matrices, limits.float16, false};
  std::vector<Curve> curves;
  std::vector<Figure> figures;
  for (const TensorKernel& each : tensorKernels) {
    ThroughputKernel kernel{each.name, tensorShader(each, use, benchFolder() + "/device", bench.modules()),
                            tensorFactors(), productsPerStep * operationsPerProduct};
    kernel.resultBytes = 16 + warpsOfGroup * static_cast<uint64_t>(each.sums) * sumBytes;
    kernel.matrices = use;
    Curve byWarps = timesByWarps(bench, kernel);
    if (each.sums > 1) {
      const std::string sums = each.sumsInHalves ? "f16" : "f32";
      const Throughput found = throughputOf(bench, kernel, byWarps);
      figures.push_back({sums + " sums, one multiprocessor", found.onePerSecond, "op/s"});
      figures.push_back({sums + " sums, all of them", found.devicePerSecond, "op/s"});
      figures.push_back({sums + " all sums, counted as in the study", found.devicePerSecond / 2, "op/s"});
      figures.push_back({sums + " sums, times one", found.devicePerSecond / found.onePerSecond, ""});
    }
    for (CurvePoint& point : byWarps.points)
      point.y /= productsPerStep;
    curves.push_back(std::move(byWarps));
  }
  ResultTable table =
      tableOf("products of 16x16 matrices by warps on one multiprocessor (Vannson 2023, figure 9)", "warps",
              "ns for a product in each warp", curves);
  table.figures = std::move(figures);
  table.notes = {
      "a multiply-add counts as two operations (2n^3), in the study as one: its 47 T are 94 T here,",
      "an RTX 3070 Ti's: 48 times the figure for one multiprocessor"};
  return table;
}

}  // namespace lacuna
