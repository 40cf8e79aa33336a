#include "graph/run/tune/tuning_rounds.h"

#include <algorithm>
#include <numeric>

#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr int trialRuns = 3;         // after one that is not counted
constexpr int fewTrialRuns = 2;      // the same of long runs...
constexpr double longMs = 200.0;     // ...these; longer than a driver takes to compile a shader
constexpr double muchSlower = 2.0;   // times the best: one run decides
constexpr size_t enoughRuns = 6;     // to decide that one is slower than another
constexpr double enoughMs = 3000.0;  // after this many runs the median is steady

struct Entry {
  std::string schedule;
  std::vector<double> samples;
  bool open = false;

  double ms() const { return median(samples); }
};

class Rounds {
 public:
  Rounds(const ScheduleTimer& timer, const RoundsOptions& options)
      : timer_(timer), options_(options), begin_(timer.seconds()) {}

  FilterTimes run(const std::vector<std::string>& schedules) {
    FilterTimes end;
    end.before = options_.anchor;
    for (std::vector<std::string> next = schedules; !next.empty(); next = more()) {
      for (const std::string& schedule : next)
        if (!entries_.empty() && isOver())
          end.untried.push_back(schedule);
        else
          attempt(schedule);
      if (!end.untried.empty())
        break;
    }
    for (int round = 0; round < options_.rounds && !isOver() && !isSettled() && openCount() > 1; ++round) {
      alternate(round);
      closeBeaten();
    }
    for (Entry& entry : entries_)
      close(entry);
    end.measured = ranked();
    return end;
  }

 private:
  bool isOver() const {
    const double seconds = timer_.seconds() - begin_;
    return (options_.seconds > 0.0 && seconds >= options_.seconds) ||
           (options_.bestRuns > 0.0 && !entries_.empty() && seconds >= 1e-3 * options_.bestRuns * best());
  }

  bool isSettled() const {
    return std::ranges::all_of(entries_, [](const Entry& entry) {
      return !entry.open || (entry.samples.size() >= enoughRuns &&
                             std::accumulate(entry.samples.begin(), entry.samples.end(), 0.0) >= enoughMs);
    });
  }

  std::vector<TimedSchedule> ranked() const {
    std::vector<TimedSchedule> all;
    for (const Entry& entry : entries_)
      all.push_back({entry.schedule, entry.ms()});
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.ms < b.ms; });
    return all;
  }

  std::vector<std::string> more() const {
    return options_.more && !entries_.empty() ? options_.more(ranked()) : std::vector<std::string>();
  }

  size_t openCount() const {
    return static_cast<size_t>(std::ranges::count_if(entries_, [](const Entry& e) { return e.open; }));
  }

  double best() const {
    double ms = entries_.front().ms();
    for (const Entry& entry : entries_)
      ms = std::min(ms, entry.ms());
    return ms;
  }

  void close(Entry& entry) {
    if (entry.open) {
      timer_.close(entry.schedule);
      entry.open = false;
    }
  }

  void attempt(const std::string& schedule) {
    if (options_.trying)
      options_.trying(schedule);
    if (!timer_.open(schedule))
      return;
    entries_.push_back({schedule, trial(schedule), true});
    closeHopeless();
    while (openCount() > options_.most)
      closeSlowest();
  }

  // The first run is not counted: it warms caches and clocks, and the driver may compile in it. If runs are
  // long, a few suffice, perhaps the first one alone.
  std::vector<double> trial(const std::string& schedule) {
    const double first = timer_.time(schedule);
    if (!entries_.empty() && first > muchSlower * best() + longMs)
      return {first};
    std::vector<double> runs;
    const int wanted = first > longMs ? fewTrialRuns : trialRuns;
    while (static_cast<int>(runs.size()) < wanted) {
      runs.push_back(timer_.time(schedule));
      const double limit = runs.back() > longMs ? options_.hopeless : muchSlower;
      if (!entries_.empty() && runs.back() > limit * best())
        break;
    }
    return runs;
  }

  void closeHopeless() {
    const double limit = options_.hopeless * best();
    for (Entry& entry : entries_)
      if (entry.ms() > limit && entry.schedule != options_.anchor)
        close(entry);
  }

  // Closes schedules none of whose runs was as fast as the best one's usual run.
  void closeBeaten() {
    const double usual = best();
    for (Entry& entry : entries_) {
      const auto& runs = entry.samples;
      if (runs.size() >= enoughRuns && *std::ranges::min_element(runs) > usual)
        close(entry);
    }
  }

  void closeSlowest() {
    Entry* slowest = nullptr;
    for (Entry& entry : entries_) {
      const bool mayClose = entry.open && entry.schedule != options_.anchor;
      slowest = mayClose && (slowest == nullptr || entry.ms() > slowest->ms()) ? &entry : slowest;
    }
    close(*slowest);
  }

  // Goes through the schedules in alternating direction, so that none always follows the same one.
  void alternate(int round) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[round % 2 == 0 ? i : entries_.size() - 1 - i];
      if (entry.open)
        entry.samples.push_back(timer_.time(entry.schedule));
    }
  }

  const ScheduleTimer& timer_;
  const RoundsOptions& options_;
  double begin_;
  std::vector<Entry> entries_;
};

}  // namespace

FilterTimes timeInRounds(const std::vector<std::string>& schedules, const ScheduleTimer& timer,
                         const RoundsOptions& options) {
  return Rounds(timer, options).run(schedules);
}

}  // namespace lacuna
