#pragma once
// The bilateral filter on one image of noise, 8 bit, under any of its schedules.

#include <map>
#include <string>
#include <vector>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tools/bench/bilateral/report.h"
#include "tools/bench/measure.h"

namespace lacuna {

// A variant and what is measured of it.
struct BilateralGroup {
  const VariantDescription* variant = nullptr;
  std::vector<KernelSchedule> schedules = {};
};

class BilateralFilter {
 public:
  // Throws FileError: the module that is found can't be used so.
  BilateralFilter(vk::Device& device, const std::vector<std::string>& modules, const BilateralTask& task);
  BilateralFilter(const BilateralFilter&) = delete;
  BilateralFilter& operator=(const BilateralFilter&) = delete;

  std::vector<const VariantDescription*> variants() const;
  // In the module's order, and the naive one in any case: what others are compared with. Of each variant all
  // workgroups and constants (`all`), or its first; where names are asked for, those that agree with one.
  std::vector<BilateralGroup> groups(const std::vector<std::string>& asked, bool all) const;

  // Groups point into this filter's description.
  BilateralRow measure(const KernelSchedule& schedule, const BenchEffort& effort) const;
  // The fastest of several, by a few runs each, then the best few measured as long as any; where none runs,
  // the first one's refusal.
  BilateralRow measureFastest(const BilateralGroup& group, const BenchEffort& effort) const;

 private:
  const Node& node() const;

  vk::Device& device_;
  std::vector<std::string> modules_;
  NodeGraph graph_;
  BenchPixels pixels_;
};

}  // namespace lacuna
