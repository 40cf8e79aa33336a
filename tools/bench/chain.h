#pragma once
// A node under one schedule, on the device, timed with timestamps; and several of them against each other.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/run/tune/tuning_rounds.h"
#include "graph/vk/executable.h"
#include "tools/bench/lab.h"

namespace lacuna {

class BenchChain {
 public:
  // `node`: whose passes are timed; of a native one, those of all nodes that it builds. Throws
  // vk::DeviceError.
  BenchChain(Lab& lab, const std::string& node, OrderedPasses schedule);

  void preheat(double ms);
  std::vector<double> run();  // milliseconds of each of its passes

  // From now on one pass alone runs and is timed: as often in a row as takes `spanMs` at least, as far as
  // 10,000 runs do. What it reads must still be there from the frame before; or, not `alone`, the passes
  // before it run, too.
  void repeat(size_t pass, bool alone, double spanMs);
  int timesInARow() const { return times_; }

  // Runs all once, downloads included, which the others leave out. Returns what the graph's sink got.
  std::span<const std::byte> compute();

  const std::vector<std::string>& passes() const { return names_; }
  double bytes(size_t pass) const;
  double bytes() const;       // read and written by its passes, every pixel once
  double floorBytes() const;  // read from outside the chain, and written for the outside

 private:
  vk::Timings time(bool perPass, const std::function<int(PassId pass)>& repeats);
  int withoutDownloads(PassId pass) const;  // how often a pass runs where a frame is timed
  double timeRepeated();
  bool lengthen(double ms);  // false: a span is long enough, if one run takes so long
  const OrderedPasses& schedule() const { return executable_->schedule(); }

  // No Session: it keeps each schedule's pipelines in a file, of which these would be many.
  std::unique_ptr<vk::Executable> executable_;
  std::vector<PassId> passes_;  // the chain's, of the schedule's
  std::vector<std::string> names_;
  PassId repeated_ = {};  // none: all passes run
  bool alone_ = false;
  double spanMs_ = 0.0;
  int times_ = 1;
};

// Sets a row's "ms", "leastMs", "mostMs", "runs", "timesInARow", "passes" (where none is repeated) and
// "bytes".
void measure(BenchChain& chain, const BenchEffort& effort, Json& row);

// A schedule, ready to be timed; null: the device refuses it, or it computes something else, and the row says
// so.
using OpenChain = std::function<std::unique_ptr<BenchChain>(const std::string& schedule, Json& row)>;

// Against each other, in alternating rounds, since clocks drift: the fastest first. `rows`: of those that
// didn't open.
std::vector<TimedSchedule> timeTogether(const std::vector<std::string>& schedules, const OpenChain& open,
                                        double preheatMs, const RoundsOptions& options, Json& rows);

// Adds a row a schedule, or (`best`) that of the fastest one, which a few runs of each find; before it those
// that are wrong, and where none runs the first one's refusal. `more`: as RoundsOptions::more.
void measureRows(const std::vector<std::string>& schedules, bool best, const OpenChain& open,
                 const BenchEffort& effort, Json& rows, const decltype(RoundsOptions::more)& more = {});

}  // namespace lacuna
