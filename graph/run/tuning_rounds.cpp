#include "graph/run/tuning_rounds.h"

#include <algorithm>

#include "graph/median.h"

namespace lacuna {
namespace {

constexpr int trialRuns = 3;  // after one that is not counted: it warms caches and clocks

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

  RoundsEnd run(const std::vector<std::string>& schedules) {
    RoundsEnd end;
    for (const std::string& schedule : schedules) {
      if (!entries_.empty() && isOver()) {
        end.left.push_back(schedule);
      } else {
        attempt(schedule);
      }
    }
    for (int round = 0; round < options_.rounds && !isOver() && openCount() > 1; ++round) {
      alternate(round);
    }
    for (Entry& entry : entries_) {
      close(entry);
      end.measured.push_back({entry.schedule, entry.ms()});
    }
    std::stable_sort(end.measured.begin(), end.measured.end(),
                     [](const auto& a, const auto& b) { return a.ms < b.ms; });
    return end;
  }

 private:
  bool isOver() const { return options_.seconds > 0.0 && timer_.seconds() - begin_ >= options_.seconds; }

  size_t openCount() const {
    return static_cast<size_t>(
        std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.open; }));
  }

  double best() const {
    double ms = entries_.front().ms();
    for (const Entry& entry : entries_) {
      ms = std::min(ms, entry.ms());
    }
    return ms;
  }

  void close(Entry& entry) {
    if (entry.open) {
      timer_.close(entry.schedule);
      entry.open = false;
    }
  }

  void attempt(const std::string& schedule) {
    if (options_.trying) {
      options_.trying(schedule);
    }
    if (!timer_.open(schedule)) {
      return;
    }
    Entry entry{schedule, {}, true};
    timer_.time(schedule);
    for (int run = 0; run < trialRuns; ++run) {
      entry.samples.push_back(timer_.time(schedule));
      // One run tells that it is hopeless, where runs are long.
      if (!entries_.empty() && entry.samples.back() > 2.0 * best()) {
        break;
      }
    }
    entries_.push_back(std::move(entry));
    closeHopeless();
    while (openCount() > options_.most) {
      closeSlowest();
    }
  }

  void closeHopeless() {
    const double limit = options_.hopeless * best();
    for (Entry& entry : entries_) {
      if (entry.ms() > limit) {
        close(entry);
      }
    }
  }

  void closeSlowest() {
    Entry* slowest = nullptr;
    for (Entry& entry : entries_) {
      slowest = entry.open && (slowest == nullptr || entry.ms() > slowest->ms()) ? &entry : slowest;
    }
    close(*slowest);
  }

  // There and back, so that nobody always follows the same one.
  void alternate(int round) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[round % 2 == 0 ? i : entries_.size() - 1 - i];
      if (entry.open) {
        entry.samples.push_back(timer_.time(entry.schedule));
      }
    }
  }

  const ScheduleTimer& timer_;
  const RoundsOptions& options_;
  double begin_;
  std::vector<Entry> entries_;
};

}  // namespace

RoundsEnd timeInRounds(const std::vector<std::string>& schedules, const ScheduleTimer& timer,
                       const RoundsOptions& options) {
  return Rounds(timer, options).run(schedules);
}

}  // namespace lacuna
