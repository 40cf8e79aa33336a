#pragma once
// Runs of a pass back to back, as many as take long enough for a timestamp to tell.

#include <vector>

#include "tools/bench/measure.h"

namespace lacuna {

class RowOfRuns {
 public:
  // `alone` as in BenchChain::runInARow(). `spanMs`: at least so long between two timestamps, as far as
  // 10,000 runs take as long.
  RowOfRuns(BenchChain& chain, size_t pass, bool alone, double spanMs);

  double run();  // milliseconds of one
  void preheat(double ms);
  // Of as many spans as there is time for, each of which is long enough.
  std::vector<double> samples(const BenchEffort& effort);
  int times() const { return times_; }  // that a span has now

 private:
  bool lengthen(double ms);  // false: it is long enough, if one takes so long

  BenchChain& chain_;
  size_t pass_;
  bool alone_;
  double spanMs_;
  int times_ = 1;
};

}  // namespace lacuna
