#include "graph/schedule/kernel/kernel_maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/kernel/kernel_search.h"
#include "graph/schedule/maker.h"

namespace lacuna {
namespace {

class ScheduledKernel : public FilterSchedule {
 public:
  explicit ScheduledKernel(KernelSchedule schedule) : schedule_(std::move(schedule)) {}
  bool wantsImages() const override { return schedule_.storage == ResourceKind::image; }
  void addPasses(PassBuilder& builder, NodeId node, const DeviceModel& device) const override {
    addKernelPass(builder, node, schedule_, device);
  }

 private:
  KernelSchedule schedule_;
};

// Matrices in plain arithmetic are slower than variants without matrices.
bool isFor(const VariantDescription& variant, const DeviceModel& device) {
  return variant.isExact() && (!variant.usesMatrices() || device.matrices != MatrixKind::emulated) &&
         (variant.device == VariantDevice::any ||
          variant.device == (device.cpu ? VariantDevice::cpu : VariantDevice::gpu));
}

void addOnce(std::vector<std::string>& names, std::string name) {
  if (!contains(names, name))
    names.push_back(std::move(name));
}

// The most promising by estimate, each with what it differs in; measuring needs no more.
constexpr size_t mostEstimated = 6;
constexpr double nearEstimate = 1.5;  // times the best

// The default of a variant or, if the device can't run it, the variant's first that it can.
void addDefault(const Filter& filter, const VariantDescription& variant, std::vector<std::string>& names) {
  const auto rejected = [&](const KernelSchedule& schedule) {
    return !rejection(filter.graph, filter.node, schedule, filter.device).empty();
  };
  const KernelSchedule usual = defaultSchedule(variant);
  addOnce(names, print(usual));
  if (!rejected(usual))
    return;
  const std::vector<KernelSchedule> all = kernelSchedulesNamed({&variant}, variant.name);
  if (const auto fits = std::ranges::find_if_not(all, rejected); fits != all.end())
    addOnce(names, print(*fits));
}

// Those of a variant that the device can run and that have an estimate.
std::vector<KernelSchedule> fittingSchedules(const Filter& filter, const VariantDescription& variant) {
  std::vector<KernelSchedule> all =
      variant.cost ? allKernelSchedules(variant) : std::vector<KernelSchedule>();
  std::erase_if(all, [&](const KernelSchedule& schedule) {
    return !rejection(filter.graph, filter.node, schedule, filter.device).empty() ||
           kernelMs(filter.graph, filter.node, schedule, filter.device) <= 0.0;
  });
  return all;
}

// Those of all variants that state their cost, the best first.
void addEstimated(const Filter& filter, const std::vector<const VariantDescription*>& variants,
                  std::vector<std::string>& names) {
  std::vector<std::pair<double, std::string>> all;
  for (const VariantDescription* variant : variants)
    if (variant->isExact())
      for (const KernelSchedule& schedule : fittingSchedules(filter, *variant))
        all.emplace_back(kernelMs(filter.graph, filter.node, schedule, filter.device), print(schedule));
  std::ranges::stable_sort(all, {}, [](const auto& each) { return each.first; });
  for (size_t i = 0; i < all.size() && i < mostEstimated && all[i].first <= nearEstimate * all[0].first; ++i)
    names.push_back(all[i].second);
}

}  // namespace

bool KernelMaker::makesFor(const NodeGraph& graph, const Node& node) const {
  return !variantsOf(graph, node).empty();
}

std::vector<std::string> KernelMaker::usual(const Filter& filter) const {
  std::vector<std::string> names;
  const auto variants = variantsOf(filter.graph, filter.node);
  addEstimated(filter, variants, names);
  for (const bool suits : {true, false}) {
    for (const VariantDescription* variant : variants)
      if (isFor(*variant, filter.device) == suits)
        addDefault(filter, *variant, names);
  }
  return names;
}

std::vector<std::string> KernelMaker::named(const Filter& filter, const std::string& word) const {
  const auto variants = variantsOf(filter.graph, filter.node);
  const auto usual = kernelScheduleNamed(variants, word);
  if (usual && print(*usual) == word)
    return {word};
  std::vector<std::string> names;
  for (const KernelSchedule& schedule : kernelSchedulesNamed(variants, word))
    addOnce(names, print(schedule));
  return names;
}

FilterCandidate KernelMaker::make(const Filter& filter, const std::string& name, const FilterWork&) const {
  const KernelSchedule schedule = kernelScheduleNamed(variantsOf(filter.graph, filter.node), name).value();
  FilterCandidate made;
  made.told.name = name;
  made.told.family = schedule.variant->name;
  made.told.exact = schedule.variant->isExact();
  made.told.rejected = rejection(filter.graph, filter.node, schedule, filter.device);
  made.told.passes = 1;
  made.told.bytes = floorBytes(filter.graph, filter.node);
  if (made.told.rejected.empty())
    made.told.ms = kernelMs(filter.graph, filter.node, schedule, filter.device);
  made.suits = isFor(*schedule.variant, filter.device);
  made.schedule = filterSchedule(schedule);
  return made;
}

std::string KernelMaker::hint(const Filter& filter, const std::string& word) const {
  std::vector<std::string> names;
  for (const VariantDescription* variant : variantsOf(filter.graph, filter.node))
    names.push_back(variant->name);
  const std::string near = didYouMean(word.substr(0, word.find_first_of("@/")), names);
  return near.empty() ? fmt::format("there are {}; then @WxH, then /CONSTANT", joinNames(names)) : near;
}

ScheduleSearch KernelMaker::search(const Filter& filter, const std::vector<std::string>& families) const {
  std::vector<const VariantDescription*> variants = variantsOf(filter.graph, filter.node);
  std::erase_if(variants,
                [&](const VariantDescription* variant) { return !contains(families, variant->name); });
  // Those that the estimate excludes aren't worth their time.
  const auto estimate = [filter](const KernelSchedule& schedule) {
    return kernelMs(filter.graph, filter.node, schedule, filter.device);
  };
  double best = 0.0;
  for (const VariantDescription* variant : variants)
    for (const KernelSchedule& schedule : fittingSchedules(filter, *variant))
      best = best > 0.0 ? std::min(best, estimate(schedule)) : estimate(schedule);
  KernelSearch search(std::move(variants), [filter, estimate, best](const KernelSchedule& schedule) {
    return rejection(filter.graph, filter.node, schedule, filter.device).empty() &&
           estimate(schedule) <= nearEstimate * best;
  });
  return [search = std::move(search)](const std::vector<TimedSchedule>& ranked) mutable {
    return search.next(ranked);
  };
}

FilterSchedulePtr filterSchedule(const KernelSchedule& schedule) {
  return std::make_shared<ScheduledKernel>(schedule);
}

}  // namespace lacuna
