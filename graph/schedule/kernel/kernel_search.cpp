#include "graph/schedule/kernel/kernel_search.h"

#include <optional>

#include "graph/lists.h"
#include "graph/schedule/kernel/kernel_schedule.h"

namespace lacuna {
namespace {

constexpr int mostSweeps = 2;
constexpr double nearBest = 1.25;  // times the best variant: the second one may win with other details

// The variant's schedule with this complete name.
std::optional<KernelSchedule> scheduleOf(const VariantDescription& variant, const std::string& name) {
  const auto schedule = kernelScheduleNamed({&variant}, name);
  return schedule && print(*schedule) == name ? schedule : std::nullopt;
}

std::vector<KernelSchedule> variedIn(const KernelSchedule& base, size_t coordinate) {
  const VariantDescription& variant = *base.variant;
  std::vector<KernelSchedule> all;
  const auto with = [&](const auto& change) {
    all.push_back(base);
    change(all.back());
  };
  if (coordinate == 0) {
    for (const auto& workgroup : variant.workgroups)
      with([&](KernelSchedule& schedule) { schedule.workgroup = workgroup; });
  } else if (coordinate <= variant.constants.size()) {
    for (const int64_t value : variant.constants[coordinate - 1].values) {
      with([&](KernelSchedule& schedule) {
        schedule.constants[coordinate - 1] = static_cast<int32_t>(value);
      });
    }
  } else {
    for (const ResourceKind storage : {ResourceKind::buffer, ResourceKind::image})
      with([&](KernelSchedule& schedule) { schedule.storage = storage; });
  }
  return all;
}

}  // namespace

KernelSearch::KernelSearch(std::vector<const VariantDescription*> variants,
                           std::function<bool(const KernelSchedule&)> canRun)
    : variants_(std::move(variants)), canRun_(std::move(canRun)) {}

void KernelSearch::planSweep(const std::vector<TimedSchedule>& ranked) {
  const size_t most = sweeps_++ == 0 ? 2 : 1;
  std::vector<const VariantDescription*> around;
  double best = 0.0;
  for (const TimedSchedule& measured : ranked) {
    for (const VariantDescription* variant : variants_) {
      if (!contains(around, variant) && around.size() < most && scheduleOf(*variant, measured.name) &&
          (around.empty() || measured.ms <= nearBest * best)) {
        best = around.empty() ? measured.ms : best;
        around.push_back(variant);
      }
    }
  }
  for (auto variant = around.rbegin(); variant != around.rend(); ++variant)
    for (size_t coordinate = (*variant)->constants.size() + 2; coordinate-- > 0;)
      steps_.push_back({*variant, coordinate});
}

std::vector<std::string> KernelSearch::untried(const Step& step, const std::vector<TimedSchedule>& ranked) {
  std::optional<KernelSchedule> base;
  for (const TimedSchedule& measured : ranked) {
    told_.insert(measured.name);
    base = base ? base : scheduleOf(*step.variant, measured.name);
  }
  std::vector<std::string> names;
  for (const KernelSchedule& schedule :
       base ? variedIn(*base, step.coordinate) : std::vector<KernelSchedule>())
    if (canRun_(schedule) && told_.insert(print(schedule)).second)
      names.push_back(print(schedule));
  return names;
}

std::vector<std::string> KernelSearch::next(const std::vector<TimedSchedule>& ranked) {
  while (true) {
    if (steps_.empty()) {
      if (sweeps_ == mostSweeps)
        return {};
      planSweep(ranked);
    }
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      if (std::vector<std::string> names = untried(step, ranked); !names.empty())
        return names;
    }
  }
}

}  // namespace lacuna
