#include "graph/compile/choose.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"

namespace lacuna {
namespace {

constexpr uint32_t lightTapBytes =
    8;  // heavier taps pay for shared tiles on GPUs (notes/measured-schedules.md)

const Value& stateInput(const NodeGraph& graph, const Node& node) {
  return graph.values[static_cast<size_t>(valueNamed(node.inputs, "state"))];
}

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

std::string forcedName(const NodeGraph& graph, const Node& node, const ForcedSchedules& forced) {
  const auto one = forced.find(node.name);
  if (one != forced.end()) {
    return one->second;
  }
  const auto own = forced.find(graph.modules.modules[static_cast<size_t>(node.module)].name());
  const auto any = forced.find("");
  return own != forced.end() ? own->second : any != forced.end() ? any->second : std::string("auto");
}

}  // namespace

namespace {

uint64_t bytesOf(Extent extent, Channels channels, Format format) {
  return uint64_t{extent.width} * extent.height * bytesPerPixel(channels, format);
}

// Why what a level keeps has no place: its state, and its features where they are permuted with it.
std::string tooLarge(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                     const DeviceModel& device) {
  const StencilDescription& stencil = node.description->stencil;
  const Extent extent = stateInput(graph, node).type.extent;
  const bool buffer = schedule.storage == ResourceKind::buffer;
  const uint64_t most =
      buffer ? std::min(device.maxStorageBufferRange, device.maxAllocation) : device.maxAllocation;
  const std::string holds =
      fmt::format("{} hold {}", buffer ? "storage buffers" : "images of this device", most);
  if (const uint64_t bytes = bytesOf(extent, stencil.stateChannels, node.stateFormat); bytes > most) {
    return fmt::format("a level takes {} bytes, {}", bytes, holds);
  }
  for (const NamedValue& input : node.inputs) {
    const bool feature = std::count(stencil.features.begin(), stencil.features.end(), input.name) > 0;
    if (!feature || input.value == noValue || !schedule.permutes() || !stencil.dilated) {
      continue;
    }
    const ValueType& type = graph.values[static_cast<size_t>(input.value)].type;
    if (const uint64_t bytes = byteSize(type); bytes > most) {
      return fmt::format("'{}' takes {} bytes a level, {}", input.name, bytes, holds);
    }
  }
  const uint32_t side = std::max(extent.width, extent.height);
  return buffer || side <= device.maxImageSize
             ? std::string()
             : fmt::format("{} pixels a side, images hold {}", side, device.maxImageSize);
}

// Why the pass with the most bindings has too many.
std::string tooManyBindings(const Node& node, const StencilSchedule& schedule, const DeviceModel& device) {
  const auto connected = [](const std::vector<NamedValue>& ends) {
    return static_cast<uint32_t>(
        std::count_if(ends.begin(), ends.end(), [](const NamedValue& end) { return end.value != noValue; }));
  };
  const auto levels = static_cast<uint32_t>(node.levels);
  const uint32_t features = connected(node.inputs) - 1;
  const bool carried = schedule.synthesis == Synthesis::carried;
  const uint32_t states = schedule.synthesis == Synthesis::gathered ? levels
                          : schedule.synthesis == Synthesis::pass   ? levels + 1
                          : carried                                 ? 2
                                                                    : 1;
  const uint32_t reads = states + features;
  const uint32_t writes =
      connected(node.outputs) + (carried ? 2U : 1U) + (schedule.permutes() ? features : 0U);
  const auto bound = static_cast<uint32_t>(node.bound.size());
  if (schedule.storage == ResourceKind::buffer && reads + writes + bound > device.maxBindings[0]) {
    return fmt::format("up to {} storage buffers a pass, the device binds {}", reads + writes + bound,
                       device.maxBindings[0]);
  }
  if (schedule.storage == ResourceKind::image && reads > device.maxBindings[1]) {
    return fmt::format("up to {} images read a pass, the device binds {}", reads, device.maxBindings[1]);
  }
  if (schedule.storage == ResourceKind::image && writes > device.maxBindings[2]) {
    return fmt::format("up to {} images written a pass, the device binds {}", writes, device.maxBindings[2]);
  }
  return {};
}

}  // namespace

std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device) {
  if (std::string reason = tooLarge(graph, node, schedule, device); !reason.empty()) {
    return reason;
  }
  if (schedule.workgroup[0] * schedule.workgroup[1] > device.maxWorkgroupInvocations) {
    return fmt::format("{} invocations a workgroup, the device allows {}",
                       schedule.workgroup[0] * schedule.workgroup[1], device.maxWorkgroupInvocations);
  }
  const uint32_t shared = sharedBytes(graph, node, schedule);
  if (shared > device.maxSharedMemory) {
    return fmt::format("{} bytes of shared memory, the device has {}", shared, device.maxSharedMemory);
  }
  return tooManyBindings(node, schedule, device);
}

namespace {

Chosen choose(const NodeGraph& graph, const Node& node, const DeviceModel& device,
              const ForcedSchedules& forced, Diagnostics& diagnostics) {
  const bool synthesis = node.description->stencil.synthesis;
  Chosen chosen;
  chosen.choice.node = node.name;
  std::vector<StencilSchedule> usable;
  for (const StencilSchedule& schedule : allSchedules(synthesis)) {
    const std::string reason = rejection(graph, node, schedule, device);
    if (reason.empty()) {
      usable.push_back(schedule);
    } else {
      chosen.choice.rejected.emplace_back(print(schedule), reason);
    }
  }
  const std::string name = forcedName(graph, node, forced);
  const Location where = graph.modules.modules[static_cast<size_t>(node.module)].where;
  if (name == "auto") {
    chosen.choice.reason = device.cpu ? "auto, a CPU device" : "auto, a GPU";
    for (const std::string& preferred : preferences(graph, node, device)) {
      for (const StencilSchedule& schedule : schedulesNamed(preferred, synthesis)) {
        if (rejection(graph, node, schedule, device).empty()) {
          chosen.schedule = schedule;
          chosen.choice.schedule = print(schedule);
          return chosen;
        }
      }
    }
    if (usable.empty()) {
      diagnostics.error(where, fmt::format("the device can't run {} under any schedule", node.name),
                        chosen.choice.rejected.front().second);
      return chosen;
    }
    chosen.schedule = usable.front();
    chosen.choice.reason += "; nothing better fits";
  } else {
    const auto found = schedulesNamed(name, synthesis);
    const StencilSchedule* picked = pickNamed(found);
    if (picked == nullptr) {
      const std::string near = didYouMean(name.substr(0, name.find_first_of("@/")), scheduleFamilies());
      diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", node.name, name),
                        near.empty() ? joinNames(scheduleFamilies()) + ", then /image or /buffer" +
                                           (synthesis ? ", then /pass, /carried or /gathered" : "")
                                     : near);
      return chosen;
    }
    if (const std::string reason = rejection(graph, node, *picked, device); !reason.empty()) {
      diagnostics.error({},
                        fmt::format("the device can't run {} as {}: {}", node.name, print(*picked), reason));
    }
    chosen.schedule = *picked;
    chosen.choice.reason = fmt::format("asked for as '{}'", name);
  }
  chosen.choice.schedule = print(chosen.schedule);
  return chosen;
}

}  // namespace

Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, Diagnostics& diagnostics) {
  Chosen chosen = choose(graph, node, device, forced, diagnostics);
  chosen.schedule.splitsBorders = chosen.schedule.shares() && !device.cpu && device.subgroupVote;
  return chosen;
}

}  // namespace lacuna
