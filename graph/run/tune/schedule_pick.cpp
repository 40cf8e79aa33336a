#include "graph/run/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/lists.h"
#include "graph/schedule/select.h"

namespace lacuna {
namespace {

// Whether a filter of the loaded graph has that schedule on some device.
bool isSchedule(const NodeGraph& graph, const std::string& name) {
  return std::ranges::any_of(graph.nodes, [&](const Node& node) {
    const CandidateMaker* maker = makerOf(graph, node);
    return maker != nullptr && !maker->named({graph, node, {}}, name).empty();
  });
}

std::string hintOf(const NodeGraph& graph, const std::string& name) {
  for (const Node& node : graph.nodes)
    if (const CandidateMaker* maker = makerOf(graph, node); maker != nullptr)
      return maker->hint({graph, node, {}}, name);
  return "the graph has no filter that schedules are for";
}

// The requested schedules of a node; an empty list, which means all, if it isn't mentioned.
std::vector<std::string> wantedOf(const NodeGraph& graph, const Node& node, const WantedSchedules& wanted) {
  std::vector<std::string> names;
  for (const auto& [owner, list] : wanted)
    if (owner.empty() || owner == instanceOf(graph, node).name())
      names.insert(names.end(), list.begin(), list.end());
  return names;
}

// If nothing is requested: all that `auto` may take.
FilterPick pickUsual(const FilterChoice& choice) {
  FilterPick pick;
  for (const ScheduleCandidate& candidate : choice.candidates) {
    if (candidate.exact && candidate.rejected.empty()) {
      pick.schedules.push_back(candidate.name);
      pick.searched.push_back(candidate.family);
    }
  }
  return pick;
}

FilterPick pickNamed(const Filter& filter, const std::vector<std::string>& names) {
  FilterPick pick;
  for (const std::string& name : names) {
    const MeantSchedules meant = meantBy(filter, name);
    pick.schedules.insert(pick.schedules.end(), meant.schedules.begin(), meant.schedules.end());
    pick.searched.insert(pick.searched.end(), meant.searched.begin(), meant.searched.end());
  }
  return pick;
}

}  // namespace

WantedSchedules wantedSchedules(const std::vector<std::string>& words, const NodeGraph& graph,
                                Diagnostics& diagnostics) {
  WantedSchedules wanted;
  for (const std::string& word : words) {
    const size_t at = word.find('=');
    const std::string owner = at == std::string::npos ? "" : word.substr(0, at);
    const std::string name = at == std::string::npos ? word : word.substr(at + 1);
    if (!isSchedule(graph, name)) {
      diagnostics.error(
          {}, fmt::format("--schedule {}: no schedule has this name; {}", word, hintOf(graph, name)));
    } else if (!owner.empty() && graph.modules.find(owner) == nullptr) {
      diagnostics.error({}, fmt::format("--schedule {}: the graph has no module '{}'", word, owner));
    }
    wanted[owner].push_back(name);
  }
  return wanted;
}

FilterPick pickSchedules(const Filter& filter, const FilterChoice& choice, const WantedSchedules& wanted) {
  const std::vector<std::string> names = wantedOf(filter.graph, filter.node, wanted);
  FilterPick pick = names.empty() ? pickUsual(choice) : pickNamed(filter, names);
  auto& schedules = pick.schedules;
  if (!schedules.empty() && !contains(schedules, choice.schedule))
    schedules.push_back(choice.schedule);
  return pick;
}

}  // namespace lacuna
