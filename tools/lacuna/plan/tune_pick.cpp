#include "tools/lacuna/plan/tune_pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "graph/schedule/kernel_schedule.h"
#include "graph/schedule/schedule_words.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

std::vector<std::string> variantNames(const NodeGraph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    for (const VariantDescription* variant : variantsOf(graph, node)) {
      names.push_back(variant->name);
    }
  }
  return names;
}

bool isKernelSchedule(const NodeGraph& graph, const std::string& name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return kernelScheduleNamed(variantsOf(graph, node), name).has_value();
  });
}

std::string hintOf(const NodeGraph& graph, const std::string& name) {
  const std::string variant = didYouMean(name.substr(0, name.find_first_of("@/")), variantNames(graph));
  return variant.empty() ? scheduleHint(name) : variant;
}

// What is wanted of a node; nothing said of it: all, an empty list.
std::vector<std::string> wantedOf(const NodeGraph& graph, const Node& node, const WantedSchedules& wanted) {
  std::vector<std::string> names;
  for (const auto& [owner, list] : wanted) {
    if (owner.empty() || owner == instanceOf(graph, node).name()) {
      names.insert(names.end(), list.begin(), list.end());
    }
  }
  return names;
}

bool means(const std::string& prefix, const std::string& schedule) {
  for (const bool synthesis : {true, false}) {
    for (const StencilSchedule& meant : schedulesNamed(prefix, synthesis)) {
      if (print(meant) == schedule) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> chainSchedules(const Choice& choice, const std::vector<std::string>& names) {
  std::vector<std::string> picked;
  for (const Candidate& candidate : choice.candidates) {
    const bool isWanted = names.empty() || std::any_of(names.begin(), names.end(), [&](const auto& name) {
                            return means(name, candidate.schedule);
                          });
    if (candidate.rejected.empty() && isWanted) {
      picked.push_back(candidate.schedule);
    }
  }
  return picked;
}

// The default of a variant; where the device can't run it, another one that it can.
std::string knownToFit(const Choice& choice, const KernelSchedule& usual) {
  std::string found;
  for (const Candidate& candidate : choice.candidates) {
    const bool fits = candidate.family == usual.variant->name && candidate.rejected.empty();
    if (fits && (found.empty() || candidate.schedule == print(usual))) {
      found = candidate.schedule;
    }
  }
  return found.empty() ? print(usual) : found;
}

FilterPick kernelSchedules(const NodeGraph& graph, const Node& node, const Choice& choice,
                           const std::vector<std::string>& names) {
  FilterPick pick;
  for (const Candidate& candidate : choice.candidates) {
    if (names.empty() && candidate.exact && candidate.rejected.empty()) {
      pick.schedules.push_back(candidate.schedule);
      pick.searched.push_back(candidate.family);
    }
  }
  for (const std::string& name : names) {
    const auto schedule = kernelScheduleNamed(variantsOf(graph, node), name);
    if (schedule && name.find_first_of("@/") == std::string::npos) {
      pick.schedules.push_back(knownToFit(choice, *schedule));
      pick.searched.push_back(schedule->variant->name);
    } else if (schedule) {
      pick.schedules.push_back(print(*schedule));
    }
  }
  return pick;
}

}  // namespace

std::optional<WantedSchedules> wantedSchedules(const std::vector<std::string>& words,
                                               const NodeGraph& graph) {
  WantedSchedules wanted;
  for (const std::string& word : words) {
    const size_t at = word.find('=');
    const std::string owner = at == std::string::npos ? "" : word.substr(0, at);
    const std::string name = at == std::string::npos ? word : word.substr(at + 1);
    if (schedulesNamed(name, true).empty() && !isKernelSchedule(graph, name)) {
      printError(fmt::format("--schedule {}: no schedule is called so; {}", word, hintOf(graph, name)));
      return std::nullopt;
    }
    if (!owner.empty() && graph.modules.find(owner) == nullptr) {
      printError(fmt::format("--schedule {}: the graph has no module '{}'", word, owner));
      return std::nullopt;
    }
    wanted[owner].push_back(name);
  }
  return wanted;
}

FilterPick pickSchedules(const NodeGraph& graph, const Choice& choice, const WantedSchedules& wanted) {
  const auto node = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [&](const Node& each) { return each.name == choice.node; });
  if (node == graph.nodes.end()) {
    return {};
  }
  const std::vector<std::string> names = wantedOf(graph, *node, wanted);
  FilterPick pick = node->kind == NodeKind::kernel ? kernelSchedules(graph, *node, choice, names)
                                                   : FilterPick{chainSchedules(choice, names)};
  auto& schedules = pick.schedules;
  if (!schedules.empty() && std::count(schedules.begin(), schedules.end(), choice.schedule) == 0) {
    schedules.push_back(choice.schedule);
  }
  return pick;
}

}  // namespace lacuna
