#include "graph/schedule/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "graph/lists.h"
#include "graph/schedule/maker.h"

namespace lacuna {
namespace {

constexpr double unknownMs = 1e30;  // after all estimates

struct Asked {
  std::string name = "auto";
  std::string scope = {};  // "": every filter
};

Asked askedOf(const Filter& filter, const ForcedSchedules& forced) {
  for (const std::string& scope :
       {filter.node.name, instanceOf(filter.graph, filter.node).name(), std::string()})
    if (const auto found = forced.find(scope); found != forced.end())
      return {found->second, scope};
  return {};
}

// Whether another filter that the name is for has a schedule of this name.
bool isOfAnother(const Filter& filter, const Asked& asked) {
  const NodeGraph& graph = filter.graph;
  return std::ranges::any_of(graph.nodes, [&](const Node& other) {
    const bool isMeant =
        asked.scope.empty() || other.name == asked.scope || instanceOf(graph, other).name() == asked.scope;
    const CandidateMaker* maker = isMeant ? makerOf(graph, other) : nullptr;
    return maker != nullptr && !maker->named({graph, other, filter.device}, asked.name).empty();
  });
}

// The candidates of a filter, each once, with all their data.
class Candidates {
 public:
  Candidates(const Filter& filter, const FilterKnowledge& known)
      : filter_(filter), maker_(*makerOf(filter.graph, filter.node)), known_(known) {
    for (const std::string& name : maker_.usual(filter))
      add(name);
    for (const TimedSchedule& measured : known.measured) {
      const auto names = maker_.named(filter, measured.name);
      // Unless that schedule no longer exists.
      if (contains(names, measured.name))
        add(measured.name);
    }
  }

  const FilterCandidate& add(const std::string& name) {
    const auto known = std::ranges::find(all_, name, [](const auto& each) { return each.told.name; });
    return known != all_.end() ? *known : all_.emplace_back(maker_.make(filter_, name, known_.work));
  }

  // Among the schedules that a user's word means, the first that the device can run, or else the first.
  const FilterCandidate& meant(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (maker_.make(filter_, name, known_.work).told.rejected.empty())
        return add(name);
    return add(names.front());
  }

  // Puts measured times in place of estimates. Other schedules' estimates are scaled to them: a model's order
  // can be trusted, but not its absolute times.
  void tellTimes() {
    double logs = 0.0;
    int count = 0;
    for (FilterCandidate& candidate : all_) {
      const double estimate = candidate.told.ms;
      if (tellMeasured(candidate.told) && estimate > 0.0) {
        logs += std::log(candidate.told.ms / estimate);
        ++count;
      }
    }
    const double scale = count > 0 ? std::exp(logs / count) : 1.0;
    for (FilterCandidate& candidate : all_)
      candidate.told.ms *= candidate.told.measured.empty() ? scale : 1.0;
  }

  const FilterCandidate& best() const {
    return *std::ranges::min_element(all_, [&](const FilterCandidate& a, const FilterCandidate& b) {
      return rankForAuto(a) < rankForAuto(b);
    });
  }

  // For `plan`: measured schedules first, then by time, rejected ones last; among those without a time the
  // chosen one first.
  std::vector<ScheduleCandidate> ranked(const std::string& chosen) const {
    std::vector<ScheduleCandidate> told;
    for (const FilterCandidate& candidate : all_)
      told.push_back(candidate.told);
    std::stable_partition(told.begin(), told.end(),
                          [&](const ScheduleCandidate& candidate) { return candidate.name == chosen; });
    std::ranges::stable_sort(told, [](const ScheduleCandidate& a, const ScheduleCandidate& b) {
      const auto rank = [](const ScheduleCandidate& c) {
        return std::tuple(!c.rejected.empty(), c.measured.empty(), c.ms > 0.0 ? c.ms : unknownMs);
      };
      return rank(a) < rank(b);
    });
    return told;
  }

  std::string reason() const {
    const auto count = [&](const auto& is) {
      return std::ranges::count_if(all_, [&](const FilterCandidate& c) { return is(c); });
    };
    const auto measured = count([](const FilterCandidate& c) { return isMeasured(c.told); });
    const FilterCandidate& taken = best();
    if (measured > 0)
      return fmt::format("auto: the fastest of {} measured on {}", measured, taken.told.measured);
    if (taken.told.ms > 0.0) {
      return fmt::format("auto: the best of {} by estimate{}",
                         count([](const FilterCandidate& c) { return c.told.rejected.empty(); }),
                         known_.frames > 0 ? ", compiling included" : "");
    }
    return taken.suits ? fmt::format("auto: the first for {}s that fits", filter_.device.cpu ? "CPU" : "GPU")
                       : "auto: the first that fits";
  }

 private:
  std::tuple<bool, bool, bool, double, bool> rankForAuto(const FilterCandidate& candidate) const {
    const ScheduleCandidate& told = candidate.told;
    const double ms = known_.frames > 0 ? told.ms * known_.frames + candidate.compileMs : told.ms;
    return {!told.rejected.empty(), !told.exact, told.measured.empty(), told.ms > 0.0 ? ms : unknownMs,
            !candidate.suits};
  }

  bool tellMeasured(ScheduleCandidate& candidate) const {
    for (const TimedSchedule& measured : known_.measured) {
      if (measured.name == candidate.name && measured.ms > 0.0 && candidate.rejected.empty()) {
        candidate.ms = measured.ms;
        candidate.measured = known_.date;
        return true;
      }
    }
    return false;
  }

  const Filter& filter_;
  const CandidateMaker& maker_;
  const FilterKnowledge& known_;
  std::vector<FilterCandidate> all_;
};

FilterChoice emptyChoice(const Filter& filter) {
  FilterChoice choice;
  choice.filter = filter.node.name;
  choice.floorBytes = floorBytes(filter.graph, filter.node);
  choice.floorMs = filter.device.bandwidth > 0.0
                       ? 1e3 * static_cast<double>(choice.floorBytes) / filter.device.bandwidth
                       : 0.0;
  return choice;
}

}  // namespace

Selection selectSchedule(const Filter& filter, const ForcedSchedules& forced, const FilterKnowledge& known,
                         Diagnostics& diagnostics) {
  Selection selection{nullptr, emptyChoice(filter)};
  FilterChoice& choice = selection.choice;
  Candidates candidates(filter, known);
  const Asked asked = askedOf(filter, forced);
  FilterCandidate taken;
  if (asked.name != "auto") {
    const CandidateMaker& maker = *makerOf(filter.graph, filter.node);
    if (const auto names = maker.named(filter, asked.name); !names.empty()) {
      taken = candidates.meant(names);
      choice.forced = true;
      choice.reason = fmt::format("asked for as '{}'", asked.name);
    } else if (!isOfAnother(filter, asked)) {
      diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", filter.node.name, asked.name),
                        maker.hint(filter, asked.name));
      return selection;
    }
  }
  candidates.tellTimes();
  if (!choice.forced) {
    taken = candidates.best();
    choice.reason = candidates.reason();
  }
  choice.schedule = taken.told.name;
  choice.candidates = candidates.ranked(choice.schedule);
  if (taken.told.rejected.empty()) {
    selection.schedule = taken.schedule;
  } else if (choice.forced) {
    diagnostics.error({}, fmt::format("the device can't run {} as {}: {}", filter.node.name, choice.schedule,
                                      taken.told.rejected));
  } else {
    diagnostics.error(instanceOf(filter.graph, filter.node).where,
                      fmt::format("the device can't run {} under any schedule", filter.node.name),
                      fmt::format("{}: {}", choice.schedule, taken.told.rejected));
  }
  return selection;
}

Plan select(NodeGraph graph, const DeviceModel& device, const ForcedSchedules& forced, const Knowledge& known,
            Diagnostics& diagnostics) {
  Plan plan;
  plan.schedules.resize(graph.nodes.size());
  for (const NodeId id : graph.nodes.ids()) {
    const Node& node = graph.nodes[id];
    if (!node.description->replaces.empty()) {
      FilterChoice& choice = plan.choices.emplace_back();
      choice.filter = node.name;
      choice.schedule = "host";
      choice.reason = fmt::format("takes the place of {} on CPU devices", node.description->replaces);
    }
    if (!hasSchedules(graph, node))
      continue;
    const auto found = known.find(node.name);
    Selection selection = selectSchedule(
        {graph, node, device}, forced, found == known.end() ? FilterKnowledge{} : found->second, diagnostics);
    plan.schedules[id] = std::move(selection.schedule);
    plan.choices.push_back(std::move(selection.choice));
  }
  plan.graph = std::move(graph);
  return plan;
}

std::string print(const std::vector<FilterChoice>& choices) {
  std::string text;
  for (const FilterChoice& choice : choices) {
    text += fmt::format("choice {}: {} ({})\n", choice.filter, choice.schedule, choice.reason);
    for (const ScheduleCandidate& candidate : choice.candidates)
      if (!candidate.rejected.empty())
        text += fmt::format("    not {}: {}\n", candidate.name, candidate.rejected);
  }
  return text;
}

std::string print(const Plan& plan) {
  return print(plan.choices);
}

bool isMeasured(const ScheduleCandidate& candidate) {
  return candidate.exact && candidate.rejected.empty() && !candidate.measured.empty();
}

MeantSchedules meantBy(const Filter& filter, const std::string& word) {
  const CandidateMaker& maker = *makerOf(filter.graph, filter.node);
  MeantSchedules meant;
  std::string family;
  for (const std::string& name : maker.named(filter, word)) {
    const ScheduleCandidate told = maker.make(filter, name, {}).told;
    if (!told.rejected.empty())
      continue;
    meant.schedules.push_back(name);
    if (maker.search(filter, {told.family})) {
      // The first stands for all; a family's name alone also includes those around it.
      if (word.find_first_of("@/") == std::string::npos)
        meant.searched.push_back(told.family);
      break;
    }
  }
  return meant;
}

}  // namespace lacuna
