// The fastest of a variant's schedules, as `lacuna tune` looks for it.

#include <chrono>
#include <map>

#include "graph/run/tune/tuning_rounds.h"
#include "graph/schedule/kernel/kernel_search.h"
#include "tools/bench/gemm/measure.h"

namespace lacuna {
namespace {

constexpr double trialPreheat = 0.1;  // of a schedule that is measured
constexpr int trialRounds = 5;
constexpr size_t mostOpenProducts = 2;  // tasks.cpp has memory for so many

}  // namespace

std::vector<Json> GemmFilter::measureFastest(const GemmGroup& group, const BenchEffort& effort) const {
  const auto named = [&](const std::string& name) { return *kernelScheduleNamed({group.variant}, name); };
  struct Timed {
    Opened opened;
    RowOfRuns products;
  };
  std::map<std::string, Timed> open_;
  std::vector<Json> rows;
  Json refused;
  ScheduleTimer timer;
  timer.open = [&](const std::string& name) {
    Opened opened = open(named(name));
    if (opened.chain == nullptr) {
      (opened.row.contains("wrong") ? rows.emplace_back() : refused) = std::move(opened.row);
      return false;
    }
    RowOfRuns products = productsOf(*opened.chain);
    products.preheat(trialPreheat * effort.preheatMs);
    open_.emplace(name, Timed{std::move(opened), products});
    return true;
  };
  timer.time = [&](const std::string& name) { return open_.at(name).products.run(); };
  timer.close = [&](const std::string& name) { open_.erase(name); };
  timer.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  RoundsOptions rounds;
  rounds.rounds = trialRounds;
  rounds.most = mostOpenProducts;
  rounds.more = [search = KernelSearch({group.variant}, [this](const KernelSchedule& schedule) {
                   return schedule.storage == ResourceKind::buffer && rejectionOf(schedule).empty();
                 })](const std::vector<TimedSchedule>& ranked) mutable { return search.next(ranked); };
  const FilterTimes end = timeInRounds({print(group.schedules.front())}, timer, rounds);
  if (!end.measured.empty()) {
    rows.push_back(measure(named(end.measured.front().name), effort));
  } else if (rows.empty()) {
    rows.push_back(std::move(refused));
  }
  return rows;
}

}  // namespace lacuna
