#include "graph/compile/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "graph/compile/candidates.h"
#include "graph/compile/cost_model.h"
#include "graph/compile/schedule_words.h"
#include "graph/config/text.h"

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

std::string forcedName(const NodeGraph& graph, const Node& node, const ForcedSchedules& forced) {
  const auto one = forced.find(node.name);
  if (one != forced.end()) {
    return one->second;
  }
  const auto own = forced.find(graph.modules.modules[static_cast<size_t>(node.module)].name());
  const auto any = forced.find("");
  return own != forced.end() ? own->second : any != forced.end() ? any->second : std::string("auto");
}

Location whereOf(const NodeGraph& graph, const Node& node) {
  return graph.modules.modules[static_cast<size_t>(node.module)].where;
}

const ChainCandidate* usable(const std::vector<ChainCandidate>& all, const StencilSchedule& schedule) {
  const std::string name = print(schedule);
  const auto found = std::find_if(all.begin(), all.end(), [&](const ChainCandidate& candidate) {
    return candidate.told.schedule == name && candidate.told.rejected.empty();
  });
  return found == all.end() ? nullptr : &*found;
}

// The schedule that a name means; nullopt where it means none, which is reported.
std::optional<StencilSchedule> forced(const Node& node, const std::string& name, Diagnostics& diagnostics) {
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
               const ChainKnowledge& known, std::vector<ChainCandidate>& all) {
  const NodeGraph alone = aloneGraph(graph, node);
  double logs = 0.0;
  int count = 0;
  for (ChainCandidate& candidate : all) {
    if (!candidate.told.rejected.empty()) {
      continue;
    }
    candidate.told.ms = estimateMs(alone, candidate, known.work, device);
    for (const MeasuredSchedule& measured : known.measured) {
      if (measured.schedule == candidate.told.schedule && measured.ms > 0.0) {
        logs += std::log(measured.ms / candidate.told.ms);
        ++count;
        candidate.told.ms = measured.ms;
        candidate.told.measured = known.date;
      }
    }
  }
  const double scale = count > 0 ? std::exp(logs / count) : 1.0;
  for (ChainCandidate& candidate : all) {
    candidate.told.ms *= candidate.told.measured.empty() ? scale : 1.0;
  }
}

// The measured ones first, then by time, the rejected ones last.
bool isBetter(const ChainCandidate& a, const ChainCandidate& b) {
  const auto rank = [](const Candidate& c) {
    return std::tuple(!c.rejected.empty(), c.measured.empty(), c.ms);
  };
  return rank(a.told) < rank(b.told);
}

std::string reasonOf(const std::vector<ChainCandidate>& ranked) {
  const auto count = [&](bool measured) {
    return std::count_if(ranked.begin(), ranked.end(), [&](const ChainCandidate& candidate) {
      return candidate.told.rejected.empty() && (!measured || !candidate.told.measured.empty());
    });
  };
  const std::string& date = ranked.front().told.measured;
  return date.empty() ? fmt::format("auto: the best of {} by estimate", count(false))
                      : fmt::format("auto: the fastest of {} measured on {}", count(true), date);
}

}  // namespace

Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& asked, const ChainKnowledge& known, Diagnostics& diagnostics) {
  Chosen chosen;
  Choice& choice = chosen.choice;
  choice.node = node.name;
  choice.floorBytes = floorBytes(graph, node);
  choice.floorMs =
      device.bandwidth > 0.0 ? 1e3 * static_cast<double>(choice.floorBytes) / device.bandwidth : 0.0;
  const std::string name = forcedName(graph, node, asked);
  std::optional<StencilSchedule> picked;
  if (name != "auto") {
    picked = forced(node, name, diagnostics);
    if (!picked) {
      return chosen;
    }
  }
  std::vector<ChainCandidate> all =
      chainCandidates(graph, node, device, picked ? std::vector{*picked} : std::vector<StencilSchedule>());
  tellTimes(graph, node, device, known, all);
  std::stable_sort(all.begin(), all.end(), isBetter);
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
    diagnostics.error(whereOf(graph, node),
                      fmt::format("the device can't run {} under any schedule", node.name),
                      all.front().told.rejected);
    return chosen;
  } else {
    chosen.schedule = all.front().schedule;
    choice.reason = reasonOf(all);
  }
  choice.schedule = print(chosen.schedule);
  for (ChainCandidate& candidate : all) {
    choice.candidates.push_back(std::move(candidate.told));
  }
  return chosen;
}

}  // namespace lacuna
