#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "graph/config/text.h"
#include "graph/schedule/candidates.h"
#include "graph/schedule/choice.h"
#include "graph/schedule/cost_model.h"
#include "graph/schedule/rejection.h"
#include "graph/schedule/schedule_words.h"

namespace lacuna {
namespace {

// A name may mean several schedules: the baseline's plainest is meant, elsewhere the synthesis that pays in
// its layout.
const StencilSchedule* pickNamed(const std::vector<StencilSchedule>& found) {
  const auto rank = [](const StencilSchedule& s) {
    const bool plain = s.family == Family::baseline;
    switch (s.synthesis) {
      case Synthesis::pass:
        return plain ? 0 : 2;
      case Synthesis::carried:
        return 1;
      case Synthesis::gathered:
        return plain ? 2 : 0;
      case Synthesis::none:
        break;
    }
    return 0;
  };
  const auto best = std::min_element(found.begin(), found.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == found.end() ? nullptr : &*best;
}

const ChainCandidate* usable(const std::vector<ChainCandidate>& all, const StencilSchedule& schedule) {
  const std::string name = print(schedule);
  const auto found = std::find_if(all.begin(), all.end(), [&](const ChainCandidate& candidate) {
    return candidate.told.schedule == name && candidate.told.rejected.empty();
  });
  return found == all.end() ? nullptr : &*found;
}

// The schedule that a name means; nullopt where it means none, which is reported.
std::optional<StencilSchedule> scheduleNamed(const Node& node, const std::string& name,
                                             Diagnostics& diagnostics) {
  const auto found = schedulesNamed(name, node.description->stencil.synthesis);
  if (const StencilSchedule* picked = pickNamed(found); picked != nullptr) {
    return *picked;
  }
  diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", node.name, name), scheduleHint(name));
  return std::nullopt;
}

// Milliseconds of all that the device can run. What was not measured is estimated, and the estimates are
// scaled to what was: of the model, the order is to be trusted and not the absolute times.
void tellTimes(const NodeGraph& graph, const Node& node, const DeviceModel& device,
               const FilterKnowledge& known, std::vector<ChainCandidate>& all) {
  const NodeGraph alone = aloneGraph(graph, node);
  double logs = 0.0;
  int count = 0;
  for (ChainCandidate& candidate : all) {
    if (!candidate.told.rejected.empty()) {
      continue;
    }
    const double estimate = estimateMs(alone, candidate, known.work, device);
    candidate.told.ms = estimate;
    if (tellMeasured(candidate.told, known)) {
      logs += std::log(candidate.told.ms / estimate);
      ++count;
    }
  }
  const double scale = count > 0 ? std::exp(logs / count) : 1.0;
  for (ChainCandidate& candidate : all) {
    candidate.told.ms *= candidate.told.measured.empty() ? scale : 1.0;
  }
}

std::string reasonOf(const std::vector<Candidate>& ranked) {
  const std::string measured = measuredReason(ranked);
  const auto count = std::count_if(ranked.begin(), ranked.end(),
                                   [](const Candidate& candidate) { return candidate.rejected.empty(); });
  return measured.empty() ? fmt::format("auto: the best of {} by estimate", count) : measured;
}

}  // namespace

Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, const FilterKnowledge& known, Diagnostics& diagnostics) {
  Chosen chosen;
  Choice& choice = chosen.choice;
  choice = emptyChoice(graph, node, device);
  const std::string name = askedOf(graph, node, forced).name;
  std::optional<StencilSchedule> picked;
  if (name != "auto") {
    picked = scheduleNamed(node, name, diagnostics);
    if (!picked) {
      return chosen;
    }
  }
  std::vector<ChainCandidate> all =
      chainCandidates(graph, node, device, picked ? std::vector{*picked} : std::vector<StencilSchedule>());
  tellTimes(graph, node, device, known, all);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return isBetter(a.told, b.told); });
  for (const ChainCandidate& candidate : all) {
    choice.candidates.push_back(candidate.told);
  }
  if (picked) {
    chosen.schedule = *picked;
    choice.asked = true;
    choice.reason = fmt::format("asked for as '{}'", name);
    if (const ChainCandidate* taken = usable(all, *picked); taken != nullptr) {
      chosen.schedule = taken->schedule;
    } else {
      diagnostics.error({}, fmt::format("the device can't run {} as {}: {}", node.name, print(*picked),
                                        rejection(graph, node, *picked, device)));
    }
  } else if (!all.front().told.rejected.empty()) {
    diagnostics.error(instanceOf(graph, node).where,
                      fmt::format("the device can't run {} under any schedule", node.name),
                      all.front().told.rejected);
    return chosen;
  } else {
    chosen.schedule = all.front().schedule;
    choice.reason = reasonOf(choice.candidates);
  }
  choice.schedule = print(chosen.schedule);
  return chosen;
}

}  // namespace lacuna
