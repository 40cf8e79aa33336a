#include "tools/bench/row_of_runs.h"

#include <algorithm>
#include <cmath>

#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

constexpr double spanMargin = 1.2;  // so that spans stay long enough where clocks rise
constexpr double mostRuns = 10000.0;

}  // namespace

RowOfRuns::RowOfRuns(BenchChain& chain, size_t pass, bool alone, double spanMs)
    : chain_(chain), pass_(pass), alone_(alone), spanMs_(spanMs) {
  lengthen(run());
}

double RowOfRuns::run() {
  return chain_.runInARow(pass_, times_, alone_);
}

void RowOfRuns::preheat(double ms) {
  lacuna::preheat([this] { return times_ * run(); }, ms);
}

std::vector<double> RowOfRuns::samples(const BenchEffort& effort) {
  std::vector<double> ms;
  for (BenchRuns runs(effort); runs.next();) {
    double one = run();
    while (lengthen(one)) {
      one = run();
    }
    ms.push_back(one);
  }
  return ms;
}

bool RowOfRuns::lengthen(double ms) {
  if (times_ * ms >= spanMs_ || times_ >= mostRuns) {
    return false;
  }
  const double wanted = spanMargin * spanMs_ / std::max(ms, 1e-6);
  times_ = static_cast<int>(std::clamp(std::ceil(wanted), times_ + 1.0, mostRuns));
  return true;
}

}  // namespace lacuna
