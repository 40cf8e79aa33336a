#pragma once
// Chains on a device, timed with timestamps.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/vk/executable.h"
#include "tools/bench/columns.h"
#include "tools/bench/filters.h"
#include "tools/bench/images.h"

namespace lacuna {

// How long a schedule is measured.
struct BenchEffort {
  int runs = 20;             // timed runs at most,
  double seconds = 3.0;      // none after these, but for the first `fewestRuns`
  double preheatMs = 200.0;  // as preheat() takes it
};
constexpr int fewestRuns = 3;

// Counts runs until they are enough, or the time is over.
class BenchRuns {
 public:
  explicit BenchRuns(const BenchEffort& effort) : effort_(effort) {}
  bool next();
  int count() const { return count_; }

 private:
  using Clock = std::chrono::steady_clock;
  BenchEffort effort_;
  Clock::time_point start_ = Clock::now();
  int count_ = 0;
};

// A node under one schedule, ready to run.
class BenchChain {
 public:
  // `node`: whose passes are timed; of a native one, those of all nodes that it builds.
  BenchChain(vk::Device& device, const std::string& node, OrderedPasses schedule,
             const std::vector<std::string>& modules);

  void preheat(double ms);
  std::vector<double> run();  // milliseconds of each of its passes

  // Milliseconds of one of `times` runs in a row of one of passes(), between two timestamps. All passes
  // before it run once, or (`alone`) no other does: then what it reads must still be there from the frame
  // before.
  double runInARow(size_t pass, int times, bool alone);
  // Runs all once, downloads included, which the others leave out. Returns what the graph's sink got.
  std::span<const std::byte> compute();

  const std::vector<std::string>& passes() const { return names_; }
  double bytes(size_t pass) const;
  double bytes() const;       // read and written by its passes, every pixel once
  double floorBytes() const;  // read from outside the chain, and written for the outside

 private:
  vk::Timings time(bool perPass, const std::function<int(PassId pass)>& repeats);
  int withoutDownloads(PassId pass) const;  // how often a pass runs where a frame is timed
  const OrderedPasses& schedule() const { return executable_->schedule(); }

  // No Session: it keeps each schedule's pipelines in a file, of which these would be many.
  std::unique_ptr<vk::Executable> executable_;
  std::vector<PassId> passes_;  // the chain's, of the schedule's
  std::vector<std::string> names_;
};

class BenchDevice {
 public:
  BenchDevice(const std::string& select, const std::vector<std::string>& modules);

  const vk::DeviceInfo& info() const { return device_.info(); }
  double bandwidth();

  // Compiles a filter's shaders under all these schedules, on all cores.
  void prepare(const BenchFilter& filter, Extent extent, const std::vector<std::string>& schedules);
  // The whole name of the schedule that a filter takes under a shorter one, or "auto"; empty: none.
  std::string nameOf(const BenchFilter& filter, Extent extent, const std::string& schedule);
  // Null where the device can't run it; `refused` then says why.
  std::unique_ptr<BenchChain> open(const BenchFilter& filter, const BenchImages& images,
                                   const std::string& schedule, std::string& refused);

 private:
  OrderedPasses compiled(const BenchFilter& filter, Extent extent, const std::string& schedule,
                         std::string& refused);

  std::vector<std::string> modules_;
  vk::Device device_;
};

// Sets a row's "ms", "runs", "passes" and "bytes".
void measure(BenchChain& chain, const BenchEffort& effort, Json& row);

// The fastest of several candidates, by a few runs each, then the best few measured as long as any; the first
// that is wrong; where none runs, the first one's refusal. `measure`: a row of a candidate.
template <class Candidate, class Measure>
Json measureFastestOf(const std::vector<Candidate>& candidates, const BenchEffort& effort,
                      const Measure& measure) {
  constexpr size_t finalists = 3;  // that are measured again
  const BenchEffort few{std::min(effort.runs, fewestRuns), 0.0, 0.1 * effort.preheatMs};
  std::vector<std::pair<double, const Candidate*>> ran;
  std::optional<Json> best;
  for (const Candidate& candidate : candidates) {
    Json row = measure(candidate, few);
    if (row.contains("wrong")) {
      return row;
    }
    if (row.contains("ms")) {
      ran.emplace_back(row.at("ms"), &candidate);
    }
    if (!best) {
      best = std::move(row);
    }
  }
  std::sort(ran.begin(), ran.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < std::min(finalists, ran.size()); ++i) {
    Json row = measure(*ran[i].second, effort);
    if (i == 0 || row.at("ms") < best->at("ms")) {
      best = std::move(row);
    }
  }
  return std::move(*best);
}

// Medians of the whole chains, run in alternating rounds: clocks drift.
std::vector<double> measureInRounds(const std::vector<std::unique_ptr<BenchChain>>& chains,
                                    const BenchEffort& effort);

}  // namespace lacuna
