#include "graph/compile/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "graph/compile/candidates.h"
#include "graph/compile/schedule_words.h"
#include "graph/config/text.h"

namespace lacuna {
namespace {

constexpr uint32_t lightTapBytes =
    8;  // heavier taps pay for shared tiles on GPUs (notes/measured-schedules.md)

// What `auto` tries, best first.
std::vector<std::string> preferences(const NodeGraph& graph, const Node& node, const DeviceModel& device) {
  if (device.cpu) {
    return {"rows4/buffer/gathered", "rows4/buffer", "rows4/image"};
  }
  StencilSchedule one;
  one.family = Family::tiled;
  one.workgroup[0] = one.workgroup[1] = 1;
  const auto cells = static_cast<uint32_t>((2 * node.radius + 1) * (2 * node.radius + 1));
  if (sharedBytes(graph, node, one) / cells > lightTapBytes) {
    return {"tiled/buffer/carried", "tiled/buffer", "tiled/image", "rows3/image"};
  }
  return {"rows4/image/gathered", "rows4/image", "rows4/buffer"};
}

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

std::string wordsHint() {
  std::string text;
  for (const ScheduleWord& word : scheduleWords()) {
    text += fmt::format("{}-{}", text.empty() ? ", some with " : ", ", word.word);
  }
  return text;
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
  const bool synthesis = node.description->stencil.synthesis;
  const auto found = schedulesNamed(name, synthesis);
  if (const StencilSchedule* picked = pickNamed(found); picked != nullptr) {
    return *picked;
  }
  const std::string near = didYouMean(name.substr(0, name.find_first_of("@/")), scheduleFamilies());
  diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", node.name, name),
                    near.empty() ? joinNames(scheduleFamilies()) + wordsHint() + ", then /image or /buffer" +
                                       (synthesis ? ", then /pass, /carried or /gathered" : "")
                                 : near);
  return std::nullopt;
}

// The best candidate that the device can run; nullptr where there is none.
const ChainCandidate* best(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                           const std::vector<ChainCandidate>& all, std::string& reason) {
  for (const std::string& preferred : preferences(graph, node, device)) {
    for (const StencilSchedule& schedule : schedulesNamed(preferred, node.description->stencil.synthesis)) {
      if (const ChainCandidate* candidate = usable(all, schedule); candidate != nullptr) {
        return candidate;
      }
    }
  }
  reason += "; nothing better fits";
  const auto any = std::find_if(all.begin(), all.end(),
                                [](const auto& candidate) { return candidate.told.rejected.empty(); });
  return any == all.end() ? nullptr : &*any;
}

// The chosen one first, then by bytes, the rejected ones last.
std::vector<Candidate> ranked(const std::vector<ChainCandidate>& all, const std::string& chosen) {
  std::vector<Candidate> told;
  for (const ChainCandidate& candidate : all) {
    told.push_back(candidate.told);
  }
  const auto rank = [&](const Candidate& c) {
    return std::tuple(!c.rejected.empty(), c.schedule != chosen, c.bytes);
  };
  std::stable_sort(told.begin(), told.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return told;
}

}  // namespace

Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& asked, Diagnostics& diagnostics) {
  Chosen chosen;
  chosen.choice.node = node.name;
  chosen.choice.floorBytes = floorBytes(graph, node);
  const std::string name = forcedName(graph, node, asked);
  std::vector<ChainCandidate> all;
  if (name == "auto") {
    all = chainCandidates(graph, node, device);
    chosen.choice.reason = device.cpu ? "auto, a CPU device" : "auto, a GPU";
    const ChainCandidate* taken = best(graph, node, device, all, chosen.choice.reason);
    if (taken == nullptr) {
      diagnostics.error(whereOf(graph, node),
                        fmt::format("the device can't run {} under any schedule", node.name),
                        all.front().told.rejected);
      return chosen;
    }
    chosen.schedule = taken->schedule;
  } else {
    const auto picked = forced(node, name, diagnostics);
    if (!picked) {
      return chosen;
    }
    all = chainCandidates(graph, node, device, {*picked});
    chosen.schedule = *picked;
    chosen.choice.reason = fmt::format("asked for as '{}'", name);
    if (const ChainCandidate* taken = usable(all, *picked); taken != nullptr) {
      chosen.schedule = taken->schedule;
    } else {
      diagnostics.error({}, fmt::format("the device can't run {} as {}: {}", node.name, print(*picked),
                                        rejection(graph, node, *picked, device)));
    }
  }
  chosen.choice.schedule = print(chosen.schedule);
  chosen.choice.candidates = ranked(all, chosen.choice.schedule);
  return chosen;
}

}  // namespace lacuna
