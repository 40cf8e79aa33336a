#pragma once
// Kernels with several implementations ([[variant]] in module.toml). There are too many schedules to time all
// (bilateral-study: 490), and most state no cost to estimate. So the variants' defaults are timed, and
// kernel_search.h finds further schedules around the best of them.

#include "graph/passes/pass.h"
#include "graph/schedule/maker.h"

namespace lacuna {

class KernelMaker : public CandidateMaker {
 public:
  bool makesFor(const NodeGraph& graph, const Node& node) const override;
  std::vector<std::string> usual(const Filter& filter) const override;
  std::vector<std::string> named(const Filter& filter, const std::string& word) const override;
  FilterCandidate make(const Filter& filter, const std::string& name, const FilterWork& work) const override;
  std::string hint(const Filter& filter, const std::string& word) const override;
  ScheduleSearch search(const Filter& filter, const std::vector<std::string>& families) const override;
};

FilterSchedulePtr filterSchedule(const KernelSchedule& schedule);

// The pass of a kernel; without a variant as in its description. Arrays beyond what the device binds are
// accessed by their address, if it supports that.
void addKernelPass(PassBuilder& builder, NodeId node, const KernelSchedule& schedule,
                   const DeviceModel& device);

}  // namespace lacuna
