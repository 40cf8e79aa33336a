#pragma once
// Stencil chains: the families of stencil_schedule.h. There are few enough to time all, and the cost model
// estimates each.

#include "graph/passes/pass.h"
#include "graph/schedule/maker.h"

namespace lacuna {

class StencilMaker : public CandidateMaker {
 public:
  bool makesFor(const NodeGraph& graph, const Node& node) const override;
  std::vector<std::string> usual(const Filter& filter) const override;
  std::vector<std::string> named(const Filter& filter, const std::string& word) const override;
  FilterCandidate make(const Filter& filter, const std::string& name, const FilterWork& work) const override;
  std::string hint(const Filter& filter, const std::string& word) const override;
};

FilterSchedulePtr filterSchedule(const StencilSchedule& schedule);

// The schedule as it runs on the device: with code that only some devices need.
StencilSchedule onDevice(StencilSchedule schedule, const DeviceModel& device);

// The passes of a stencil chain.
void addChainPasses(PassBuilder& builder, NodeId node, const StencilSchedule& schedule);

}  // namespace lacuna
