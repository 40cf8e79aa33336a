// Vannson 2023, figure 8: shared memory, loads of 32 threads, in the study's scenario (k of them in one bank,
// each of the others in one of its own) and by stride. Beside them the prediction for a memory of 32 banks
// (pattern/bank_pattern.h), by the study's affine law, fitted to its scenario.

#include <algorithm>
#include <array>
#include <random>

#include "graph/pattern/bank_pattern.h"
#include "tools/bench/curve.h"
#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

constexpr uint32_t bankThreads = 32;
constexpr uint32_t bankRows = 64;  // words of each bank
constexpr uint32_t mostStride = 33;
constexpr uint32_t mostBanks = 64;
constexpr double loadsOfBanks = 64.0;  // a step

// A table that leads from each word to another one of its bank. Rows change in all banks in the same way, so
// threads with different words continue with different words.
std::vector<uint32_t> bankTable() {
  std::array<uint32_t, bankRows> order{};
  for (uint32_t row = 0; row < bankRows; ++row)
    order[row] = row;
  std::shuffle(order.begin(), order.end(), std::mt19937(bankRows));  // the same table in each run
  std::vector<uint32_t> next(size_t{bankRows} * bankThreads);
  for (uint32_t i = 0; i < bankRows; ++i)
    for (uint32_t bank = 0; bank < bankThreads; ++bank)
      next[order[i] * bankThreads + bank] = order[(i + 1) % bankRows] * bankThreads + bank;
  return next;
}

// The first `count` threads in the first bank, in their own rows.
BankStarts startsInOneBank(uint32_t count) {
  BankStarts starts;
  for (uint32_t thread = 0; thread < bankThreads; ++thread)
    starts.push_back(thread * bankThreads + (thread < count ? 0 : thread));
  return starts;
}

BankStarts startsByStride(uint32_t stride) {
  BankStarts starts;
  for (uint32_t thread = 0; thread < bankThreads; ++thread)
    starts.push_back(thread * stride);
  return starts;
}

double requestsOf(const BankStarts& starts) {
  return bankCost(SharedMemory{}, 32, starts).requests;
}

std::vector<double> from1To(uint32_t last) {
  std::vector<double> values;
  for (uint32_t value = 1; value <= last; ++value)
    values.push_back(value);
  return values;
}

}  // namespace

double accessNs(DeviceBench& bench, const BankStarts& starts) {
  TimedKernel kernel(bench.device(),
                     {bufferOf("table", bankTable()),
                      bufferOf("start", starts),
                      {"result", (1 + bankThreads) * sizeof(uint32_t)}},
                     {{"banks",
                       benchShader("banks"),
                       {{0, AccessKind::read}, {1, AccessKind::read}, {2, AccessKind::write}}}});
  return bench.nsPerStep(kernel) / loadsOfBanks;
}

uint32_t measuredBanks(DeviceBench& bench) {
  constexpr double least = 2.0, same = 0.9;  // times a load without conflicts; with all in one bank
  const double plain = accessNs(bench, startsByStride(1));
  const double worst = accessNs(bench, startsByStride(mostBanks));
  if (worst < least * plain)
    return 0;
  uint32_t banks = mostBanks;
  while (banks > 1 && accessNs(bench, startsByStride(banks / 2)) > same * worst)
    banks /= 2;
  return banks;
}

ResultTable measureBanks(DeviceBench& bench) {
  Curve oneBank{"k in one bank"}, byStride{"stride k"};
  Curve oneBankModel{"k, predicted", {}, true}, strideModel{"stride, predicted", {}, true};
  std::vector<CurvePoint> byRequests;
  for (const double k : bench.chosen(from1To(bankThreads))) {
    const BankStarts starts = startsInOneBank(static_cast<uint32_t>(k));
    oneBank.points.push_back({k, accessNs(bench, starts)});
    byRequests.push_back({requestsOf(starts), oneBank.points.back().y});
  }
  const AffineFit fit = affineFit(byRequests);
  for (const CurvePoint& point : oneBank.points) {
    oneBankModel.points.push_back(
        {point.x, fit.at(requestsOf(startsInOneBank(static_cast<uint32_t>(point.x))))});
  }
  double worst = 0.0;
  for (const double stride : bench.chosen(from1To(mostStride))) {
    const BankStarts starts = startsByStride(static_cast<uint32_t>(stride));
    byStride.points.push_back({stride, accessNs(bench, starts)});
    strideModel.points.push_back({stride, fit.at(requestsOf(starts))});
    worst = std::max(worst, std::abs(byStride.points.back().y / strideModel.points.back().y - 1.0));
  }
  ResultTable table = tableOf("shared memory, 32 threads: bank conflicts (Vannson 2023, figure 8)", "k",
                              "ns a load", {oneBank, oneBankModel, byStride, strideModel});
  table.figures = {{"a load without conflicts", fit.at(1.0), "ns"},
                   {"each further request", fit.slope, "ns"},
                   {"strides differ from that by at most", 100.0 * worst, "%"}};
  table.notes = {
      "predicted: time of the requests to 32 banks of 32 bits, by the line through the study's scenario",
      "k in one bank: k threads in the first bank, each of the others in its own; the study found 2 ns each"};
  return table;
}

}  // namespace lacuna
