#pragma once
// The schedules of a kernel that are worth timing beside the defaults of its variants: there are too many to
// time all. Around the best variant, and a second one that is close to it, one coordinate is varied after the
// other (workgroup, each constant, buffers against images), each from the best one so far; then again around
// the best one. For n variants with w workgroups and constants of c candidates each, that are at most n + 3
// (w + c + ...). Knows no device.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "graph/passes/pass.h"
#include "graph/schedule/knowledge.h"

namespace lacuna {

class KernelSearch {
 public:
  // Among these variants. `canRun`: whether the device can.
  KernelSearch(std::vector<const VariantDescription*> variants,
               std::function<bool(const KernelSchedule&)> canRun);

  // The next schedules to time, given those timed so far, the fastest first. Empty if there are no more.
  std::vector<std::string> next(const std::vector<TimedSchedule>& ranked);

 private:
  struct Step {
    const VariantDescription* variant;
    size_t coordinate;  // 0: workgroup; then the constants; then the place of the images
  };
  void planSweep(const std::vector<TimedSchedule>& ranked);
  std::vector<std::string> untried(const Step& step, const std::vector<TimedSchedule>& ranked);

  std::vector<const VariantDescription*> variants_;
  std::function<bool(const KernelSchedule&)> canRun_;
  std::vector<Step> steps_;  // of this sweep, the last one first
  int sweeps_ = 0;
  std::set<std::string> told_;
};

}  // namespace lacuna
