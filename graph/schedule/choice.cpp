#include "graph/schedule/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "graph/schedule/candidates.h"
#include "graph/schedule/kernel_schedule.h"

namespace lacuna {

bool hasSchedules(const NodeGraph& graph, const Node& node) {
  return node.kind == NodeKind::stencil || !variantsOf(graph, node).empty();
}

Asked askedOf(const NodeGraph& graph, const Node& node, const ForcedSchedules& forced) {
  for (const std::string& owner : {node.name, instanceOf(graph, node).name()}) {
    if (const auto found = forced.find(owner); found != forced.end()) {
      return {found->second, true};
    }
  }
  const auto any = forced.find("");
  return any == forced.end() ? Asked{} : Asked{any->second, false};
}

Choice emptyChoice(const NodeGraph& graph, const Node& node, const DeviceModel& device) {
  Choice choice;
  choice.node = node.name;
  choice.floorBytes = floorBytes(graph, node);
  choice.floorMs =
      device.bandwidth > 0.0 ? 1e3 * static_cast<double>(choice.floorBytes) / device.bandwidth : 0.0;
  return choice;
}

bool tellMeasured(Candidate& candidate, const FilterKnowledge& known) {
  for (const MeasuredSchedule& measured : known.measured) {
    if (measured.schedule == candidate.schedule && measured.ms > 0.0) {
      candidate.ms = measured.ms;
      candidate.measured = known.date;
      return true;
    }
  }
  return false;
}

bool isBetter(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& c) {
    return std::tuple(!c.rejected.empty(), c.measured.empty(), c.ms);
  };
  return rank(a) < rank(b);
}

bool isMeasured(const Candidate& candidate) {
  return candidate.exact && candidate.rejected.empty() && !candidate.measured.empty();
}

std::string measuredReason(const std::vector<Candidate>& candidates) {
  const auto count = std::count_if(candidates.begin(), candidates.end(), isMeasured);
  const auto any = std::find_if(candidates.begin(), candidates.end(), isMeasured);
  return count == 0 ? std::string()
                    : fmt::format("auto: the fastest of {} measured on {}", count, any->measured);
}

}  // namespace lacuna
