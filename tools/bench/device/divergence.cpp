// Vannson 2023, section 3.2.4: 32 threads, some of which take another branch; then 1 to 32 branches.

#include <algorithm>

#include "graph/lists.h"
#include "tools/bench/curve.h"
#include "tools/bench/device/device_bench.h"

namespace lacuna {
namespace {

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
  for (uint32_t thread = 0; thread < divergentThreads; ++thread) {
    branches.push_back(thread * count / divergentThreads);
  }
  return branches;
}

}  // namespace

ResultTable measureDivergence(DeviceBench& bench) {
  Curve two{"k take another branch"}, distinct{"k distinct branches"};
  std::vector<double> counts;
  for (uint32_t count = 0; count <= divergentThreads; ++count) {
    counts.push_back(count);
  }
  for (const double k : bench.chosen(counts)) {
    two.points.push_back({k, branchNs(bench, twoBranches(static_cast<uint32_t>(k)))});
    if (k > 0.0) {
      distinct.points.push_back({k, branchNs(bench, distinctBranches(static_cast<uint32_t>(k)))});
    }
  }
  std::vector<double> mixed;
  for (size_t i = 1; i + 1 < two.points.size(); ++i) {
    mixed.push_back(two.points[i].y);
  }
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

}  // namespace lacuna
