#pragma once
// How long measurements take.

#include <chrono>

namespace lacuna {

struct BenchEffort {
  int runs = 20;             // timed runs at most,
  double seconds = 3.0;      // no run begins after these seconds, except the first `fewestRuns`
  double preheatMs = 200.0;  // as for preheat()
};
constexpr int fewestRuns = 3;

// Counts runs until there are enough, or the time is over.
class BenchRuns {
 public:
  explicit BenchRuns(const BenchEffort& effort) : effort_(effort) {}
  bool next() {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return count_ < effort_.runs && (count_ < fewestRuns || spent.count() < effort_.seconds) && ++count_ > 0;
  }
  int count() const { return count_; }

 private:
  using Clock = std::chrono::steady_clock;
  BenchEffort effort_;
  Clock::time_point start_ = Clock::now();
  int count_ = 0;
};

}  // namespace lacuna
