#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/schedule/candidates.h"
#include "graph/schedule/choice.h"
#include "graph/schedule/kernel_schedule.h"

namespace lacuna {
namespace {

using Variants = std::vector<const VariantDescription*>;

// Matrices in plain arithmetic are slower than what does without matrices.
bool isFor(const VariantDescription& variant, const DeviceModel& device) {
  return variant.isExact() && (!variant.usesMatrices() || device.matrices != MatrixKind::emulated) &&
         (variant.device == VariantDevice::any ||
          variant.device == (device.cpu ? VariantDevice::cpu : VariantDevice::gpu));
}

std::vector<std::string> namesOf(const Variants& variants) {
  std::vector<std::string> names;
  for (const VariantDescription* variant : variants) {
    names.push_back(variant->name);
  }
  return names;
}

// What is asked of a module is for those of its kernels that have it.
bool isOfAnother(const NodeGraph& graph, const Node& node, const std::string& name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& other) {
    return other.module == node.module && kernelScheduleNamed(variantsOf(graph, other), name);
  });
}

struct KernelCandidate {
  KernelSchedule schedule;
  Candidate told;
};

// One of each variant, those that are for the device first, and what else was measured.
class KernelCandidates {
 public:
  KernelCandidates(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                   const FilterKnowledge& known)
      : graph_(graph), node_(node), device_(device), known_(known) {
    const Variants variants = variantsOf(graph, node);
    for (const bool suits : {true, false}) {
      for (const VariantDescription* variant : variants) {
        if (isFor(*variant, device) == suits) {
          addDefault(*variant);
        }
      }
    }
    for (const MeasuredSchedule& measured : known.measured) {
      // Unless it is one that is no more.
      if (const auto schedule = kernelScheduleNamed(variants, measured.schedule);
          schedule && print(*schedule) == measured.schedule) {
        add(*schedule);
      }
    }
  }

  const Candidate& add(const KernelSchedule& schedule) {
    const std::string name = print(schedule);
    for (const KernelCandidate& candidate : all_) {
      if (candidate.told.schedule == name) {
        return candidate.told;
      }
    }
    Candidate told;
    told.schedule = name;
    told.family = schedule.variant->name;
    told.exact = schedule.variant->isExact();
    told.rejected = rejection(graph_, node_, schedule, device_);
    told.passes = 1;
    told.bytes = floorBytes(graph_, node_);
    tellMeasured(told, known_);
    all_.push_back({schedule, std::move(told)});
    return all_.back().told;
  }

  // And, where the device can't run it, the first of the variant that it can.
  void addDefault(const VariantDescription& variant) {
    if (!add(defaultSchedule(variant)).rejected.empty()) {
      add(firstThatFits(graph_, node_, kernelSchedulesNamed({&variant}, variant.name), device_));
    }
  }

  // The fastest measured; else the first that is for the device; else, where parameters leave none that is
  // exact, the first that fits; else the first.
  const KernelCandidate& best(std::string& reason) const {
    const KernelCandidate* fastest = nullptr;
    for (const KernelCandidate& candidate : all_) {
      if (isMeasured(candidate.told) && (fastest == nullptr || candidate.told.ms < fastest->told.ms)) {
        fastest = &candidate;
      }
    }
    if (fastest != nullptr) {
      reason = measuredReason(told());
      return *fastest;
    }
    const auto fits = [](const KernelCandidate& candidate) { return candidate.told.rejected.empty(); };
    const auto first = std::find_if(all_.begin(), all_.end(), [&](const KernelCandidate& candidate) {
      return isFor(*candidate.schedule.variant, device_) && fits(candidate);
    });
    if (first != all_.end()) {
      reason = fmt::format("auto: the first for {}s that fits", device_.cpu ? "CPU" : "GPU");
      return *first;
    }
    const auto other = std::find_if(all_.begin(), all_.end(), fits);
    reason = other == all_.end() ? "auto: the first" : "auto: the first that fits";
    return other == all_.end() ? all_.front() : *other;
  }

  // Ranked; of those without a time the chosen one comes first.
  std::vector<Candidate> ranked(const std::string& chosen) const {
    std::vector<Candidate> candidates = told();
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const Candidate& candidate) { return candidate.schedule == chosen; });
    std::stable_sort(candidates.begin(), candidates.end(), isBetter);
    return candidates;
  }

 private:
  std::vector<Candidate> told() const {
    std::vector<Candidate> candidates;
    for (const KernelCandidate& candidate : all_) {
      candidates.push_back(candidate.told);
    }
    return candidates;
  }

  const NodeGraph& graph_;
  const Node& node_;
  const DeviceModel& device_;
  const FilterKnowledge& known_;
  std::vector<KernelCandidate> all_;
};

}  // namespace

ChosenKernel chooseKernel(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                          const ForcedSchedules& forced, const FilterKnowledge& known,
                          Diagnostics& diagnostics) {
  const Variants variants = variantsOf(graph, node);
  const Asked asked = askedOf(graph, node, forced);
  KernelCandidates candidates(graph, node, device, known);
  ChosenKernel chosen;
  Choice& choice = chosen.choice;
  choice = emptyChoice(graph, node, device);
  chosen.schedule = candidates.best(choice.reason).schedule;
  if (asked.name != "auto") {
    const std::vector<KernelSchedule> named = kernelSchedulesNamed(variants, asked.name);
    if (!named.empty()) {
      chosen.schedule = firstThatFits(graph, node, named, device);
      choice.asked = true;
      choice.reason = fmt::format("asked for as '{}'", asked.name);
    } else if (asked.own && !isOfAnother(graph, node, asked.name)) {
      diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", node.name, asked.name),
                        fmt::format("there are {}; then @WxH, then /CONSTANT", joinNames(namesOf(variants))));
    }
  }
  choice.schedule = print(chosen.schedule);
  if (const std::string why = candidates.add(chosen.schedule).rejected; !why.empty()) {
    diagnostics.error(choice.asked ? Location{} : instanceOf(graph, node).where,
                      fmt::format("the device can't run {} as {}: {}", node.name, choice.schedule, why));
  }
  choice.candidates = candidates.ranked(choice.schedule);
  return chosen;
}

}  // namespace lacuna
