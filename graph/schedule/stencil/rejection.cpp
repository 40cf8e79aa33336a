#include "graph/schedule/stencil/schedule_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/families/family.h"
#include "graph/nodes/not_finite_counter.h"

namespace lacuna {
namespace {

uint64_t bytesOf(Extent extent, Channels channels, Format format) {
  return uint64_t{extent.width} * extent.height * bytesPerPixel(channels, format);
}

// Why there is no place for a level's state, or for its features if they are permuted with it.
std::string tooLarge(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                     const DeviceModel& device) {
  const StencilDescription& stencil = node.description->stencil;
  const Extent extent = stateInputType(graph, node).extent;
  const bool buffer = schedule.storage == ResourceKind::buffer;
  const uint64_t most =
      buffer ? std::min(device.maxStorageBufferRange, device.maxAllocation) : device.maxAllocation;
  const std::string holds =
      fmt::format("{} hold {}", buffer ? "storage buffers" : "images of this device", most);
  // Sums are carried in float.
  const bool carries = schedule.synthesis == Synthesis::carried && node.levels > 1;
  const ValueType state = stateTypeOf(graph, node);
  const Format widest = carries ? Format::f32 : state.format;
  if (const uint64_t bytes = bytesOf(extent, state.channels, widest); bytes > most)
    return fmt::format("a level takes {} bytes, {}", bytes, holds);
  for (const PartInput& input : ownPart(node).inputs) {
    const bool feature = std::count(stencil.features.begin(), stencil.features.end(), input.name) > 0;
    if (!feature || !input.value || !schedule.permutes() || schedule.rereads || !stencil.dilated)
      continue;
    const ValueType& type = graph.values[input.value].type;
    if (const uint64_t bytes = byteSize(type); bytes > most)
      return fmt::format("'{}' takes {} bytes a level, {}", input.name, bytes, holds);
  }
  const uint32_t side = std::max(extent.width, extent.height);
  return buffer || side <= device.maxImageSize
             ? std::string()
             : fmt::format("{} pixels a side, images hold {}", side, device.maxImageSize);
}

// Why the pass with the most bindings has too many.
std::string tooManyBindings(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                            const DeviceModel& device) {
  const auto connected = [](const std::vector<NamedValue>& ends) {
    return static_cast<uint32_t>(
        std::count_if(ends.begin(), ends.end(), [](const NamedValue& end) { return bool(end.value); }));
  };
  const auto levels = static_cast<uint32_t>(node.levels);
  const StencilDescription& stencil = node.description->stencil;
  const std::vector<std::string>& named = stencil.features;
  const auto features = static_cast<uint32_t>(std::count_if(
      named.begin(), named.end(), [&](const std::string& name) { return bool(inputValue(node, name)); }));
  const bool carried = schedule.synthesis == Synthesis::carried;
  const uint32_t states = schedule.synthesis == Synthesis::gathered ? levels
                          : schedule.synthesis == Synthesis::pass   ? levels + 1
                          : carried                                 ? 2
                                                                    : 1;
  const uint32_t reads = states + connected(node.inputs) + (stencil.weight ? 1U : 0U) +
                         (node.border == BorderRule::validOnly ? 1U : 0U) -
                         (!inputValue(node, "state") ? 0U : 1U);
  const uint32_t written = carried ? 2U : static_cast<uint32_t>(schedule.fused);
  const uint32_t writes =
      connected(node.outputs) + written + (schedule.permutes() && !schedule.rereads ? features : 0U);
  const uint32_t bound = static_cast<uint32_t>(node.bound.size()) + counterCount(graph, node);
  // Parameters that are bound and counters come in buffers of their own, also beside images.
  const uint32_t buffers = bound + (schedule.storage == ResourceKind::buffer ? reads + writes : 0U);
  if (buffers > device.maxBindings[0]) {
    return fmt::format("up to {} storage buffers a pass, the device binds {}", buffers,
                       device.maxBindings[0]);
  }
  if (schedule.storage == ResourceKind::image && reads > device.maxBindings[1])
    return fmt::format("up to {} images read a pass, the device binds {}", reads, device.maxBindings[1]);
  if (schedule.storage == ResourceKind::image && writes > device.maxBindings[2])
    return fmt::format("up to {} images written a pass, the device binds {}", writes, device.maxBindings[2]);
  return {};
}

// Why the chain lacks something that the words after the family's name (schedule_words.h) need.
std::string unfit(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule) {
  const std::vector<float>& weights = node.description->stencil.weights;
  if (schedule.embedding.mirrored && !std::equal(weights.begin(), weights.end(), weights.rbegin()))
    return "the kernel is not symmetric, as mirrored layouts need";
  if (schedule.reshapes && !conflictFreeShape(schedule.family->tile({graph, node, schedule}), schedule)) {
    return fmt::format("no shape of a subgroup without bank conflicts covers {}x{} pixels",
                       schedule.workgroup[0], schedule.workgroup[1]);
  }
  if (schedule.fused > 1 && windowsOf(node).size() > 1)
    return "rows and columns are passes of their own";
  if (schedule.family->sharesPatches()) {
    return node.patch == 0                     ? "its taps have no patches"
           : node.description->stencil.dilated ? "its window is dilated"
           : schedule.workgroup[0] > 2U * static_cast<uint32_t>(node.patch)
               ? std::string()
               : fmt::format("rows of {} threads are all ends of patches", schedule.workgroup[0]);
  }
  if (schedule.family->name() == "lattice" && node.border != BorderRule::unweighted)
    return "'tiled' does the same for windows that are not dilated";
  return {};
}

}  // namespace

std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device) {
  if (std::string reason = tooLarge(graph, node, schedule, device); !reason.empty())
    return reason;
  if (std::string reason = unfit(graph, node, schedule); !reason.empty())
    return reason;
  if (schedule.workgroup[0] * schedule.workgroup[1] > device.maxWorkgroupInvocations) {
    return fmt::format("{} invocations a workgroup, the device allows {}",
                       schedule.workgroup[0] * schedule.workgroup[1], device.maxWorkgroupInvocations);
  }
  uint32_t shared = 0;
  for (const Support window : windowsOf(node))
    shared = std::max(shared, schedule.family->sharedBytes({graph, node, schedule, window}));
  if (shared > device.maxSharedMemory)
    return fmt::format("{} bytes of shared memory, the device has {}", shared, device.maxSharedMemory);
  if (schedule.fused > 1 && device.smallLoops && !node.description->stencil.features.empty())
    return "a loop over taps with features takes this device's compiler more memory than machines have";
  return tooManyBindings(graph, node, schedule, device);
}

}  // namespace lacuna
