#pragma once
// A node under one schedule, on the device, timed with timestamps; and comparisons of several.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/run/tune/tuning_rounds.h"
#include "tools/bench/lab.h"

namespace lacuna {

class BenchChain {
 public:
  // `node`: the one whose passes are timed; for a native one, those of all nodes that it builds. `change`:
  // changes the text of shaders. Throws vk::DeviceError.
  BenchChain(Lab& lab, const std::string& node, FrameGraph schedule,
             const std::function<void(Shaders&)>& change = {});

  void preheat(double ms);
  std::vector<double> run();  // milliseconds of each of its passes

  // From now on only one pass runs and is timed, repeated until it takes at least `spanMs`, at most 10,000
  // times. If `alone`, its inputs must still be there from the previous frame; otherwise the passes before it
  // run, too.
  void repeat(size_t pass, bool alone, double spanMs);
  int timesInARow() const { return times_; }

  // Runs all passes once, with downloads, which the other functions omit. Returns the values of the graph's
  // sink.
  std::span<const std::byte> compute();

  const std::vector<std::string>& passes() const { return names_; }
  double bytes(size_t pass) const;
  double bytes() const;       // read and written by its passes, every pixel once
  double floorBytes() const;  // read from outside the chain, and written to the outside

 private:
  vk::Timings time(bool perPass, const std::function<int(PassId pass)>& repeats);
  int withoutDownloads(PassId pass) const;  // how often a pass runs in a timed frame
  double timeRepeated();
  bool lengthen(double ms);  // if false, a span is long enough when one run takes this long
  const FrameGraph& schedule() const { return executable_->schedule(); }

  // Not by a Session, which would keep each schedule's pipelines in a file.
  std::unique_ptr<vk::Executable> executable_;
  std::vector<PassId> passes_;  // of the schedule's passes, those of the chain
  std::vector<std::string> names_;
  PassId repeated_ = {};  // if none, all passes run
  bool alone_ = false;
  double spanMs_ = 0.0;
  int times_ = 1;
};

struct ChainOptions {
  std::function<FrameGraph(FrameGraph)> change = {};  // of the passes
  std::function<void(Shaders&)> changeShaders = {};   // of their shaders' text
  bool fuses = true;
};

// Null if it can't run; the row then gives the reason.
std::unique_ptr<BenchChain> openChain(Lab& lab, const NodeGraph& graph, const ForcedSchedules& schedules,
                                      const std::string& timed, Json& row, const ChainOptions& options);

// Sets a row's "ms", "leastMs", "mostMs", "runs", "timesInARow", "passes" (if none is repeated) and
// "bytes".
void measure(BenchChain& chain, const BenchEffort& effort, Json& row);

// A schedule, ready to be timed; null if the device refuses it, or its result is wrong, which the row shows.
using OpenChain = std::function<std::unique_ptr<BenchChain>(const std::string& schedule, Json& row)>;

// Compares them in alternating rounds, since clocks drift: the fastest first. `rows`: of those that didn't
// open.
std::vector<TimedSchedule> timeTogether(const std::vector<std::string>& schedules, const OpenChain& open,
                                        double preheatMs, const RoundsOptions& options, Json& rows);

// Adds a row for each schedule, or (`best`) one for the fastest, found by a few runs of each; before it rows
// of wrong schedules, and if none runs, the first one's refusal. `more`: as RoundsOptions::more.
void measureRows(const std::vector<std::string>& schedules, bool best, const OpenChain& open,
                 const BenchEffort& effort, Json& rows, const decltype(RoundsOptions::more)& more = {});

}  // namespace lacuna
