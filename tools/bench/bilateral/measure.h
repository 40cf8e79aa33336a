#pragma once
// The bilateral filter on one image of noise, 8 bit, under any of its schedules.

#include <map>
#include <string>
#include <vector>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tools/bench/bilateral/sequential.h"
#include "tools/bench/bilateral/tables.h"
#include "tools/bench/measure.h"

namespace lacuna {

// A variant and what is measured of it.
struct BilateralGroup {
  const VariantDescription* variant = nullptr;
  std::vector<KernelSchedule> schedules = {};
};

class BilateralFilter {
 public:
  // Throws BenchMistake: the module that is found can't be used so.
  BilateralFilter(vk::Device& device, const std::vector<std::string>& modules, const BilateralTask& task);
  BilateralFilter(const BilateralFilter&) = delete;
  BilateralFilter& operator=(const BilateralFilter&) = delete;

  std::vector<const VariantDescription*> variants() const;
  // In the module's order, and the naive one in any case: what others are compared with. Of each variant all
  // workgroups and constants (`all`), or its first; where names are asked for, those that agree with one.
  std::vector<BilateralGroup> groups(const std::vector<std::string>& asked, bool all) const;

  double sequentialMs() const { return sequential_.ms; }
  // Groups point into this filter's description. What differs from the sequential filter, or from the first
  // picture that didn't, is wrong.
  Json measure(const KernelSchedule& schedule, const BenchEffort& effort);

 private:
  const Node& node() const;
  std::string mistakeOf(std::span<const std::byte> made, bool isExact);

  vk::Device& device_;
  std::vector<std::string> modules_;
  NodeGraph graph_;
  BenchPixels pixels_;
  BilateralTask task_;
  SequentialBilateral sequential_;
  std::vector<std::byte> first_;  // picture that was right
};

}  // namespace lacuna
