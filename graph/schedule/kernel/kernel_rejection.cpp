#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/schedule/kernel/kernel_schedule.h"

namespace lacuna {
namespace {

bool fitsFormat(const NodeGraph& graph, const Node& node, const VariantDescription& variant) {
  const ValueId value = node.inputs.empty() ? ValueId{} : node.inputs.front().value;
  return variant.formats.empty() || (value && contains(variant.formats, graph.values[value].type.format));
}

// The first input of halves that it reads as a uniform buffer, which can only hold words.
std::string uniformHalves(const NodeGraph& graph, const Node& node, const VariantDescription& variant) {
  for (const std::string& name : variant.uniform) {
    const ValueId value = valueNamed(node.inputs, name);
    if (value && graph.values[value].type.format == Format::f16)
      return name;
  }
  return {};
}

// The longest side of an image that the node reads or writes.
uint32_t longestSide(const NodeGraph& graph, const Node& node) {
  uint32_t side = 0;
  for (const auto* ends : {&node.inputs, &node.outputs}) {
    for (const NamedValue& end : *ends) {
      if (end.value) {
        const ValueType& type = graph.values[end.value].type;
        side = type.isArray() ? side : std::max({side, type.extent.width, type.extent.height});
      }
    }
  }
  return side;
}

}  // namespace

bool whenHolds(const NodeGraph& graph, const Node& node, const VariantDescription& variant) {
  return instanceOf(graph, node).holds(variant.when);
}

std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device) {
  const VariantDescription& variant = *schedule.variant;
  if (!fitsFormat(graph, node, variant)) {
    std::vector<std::string> formats;
    for (const Format format : variant.formats)
      formats.emplace_back(name(format));
    return fmt::format("it is for images in {}", joinNames(formats));
  }
  if (!whenHolds(graph, node, variant))
    return fmt::format("it is for {}", variant.when.text);
  if (variant.float16 && !device.float16)
    return "the device has no arithmetic in half precision";
  if (variant.matrix2 && !device.workgroupMatrices)
    return "the device has no matrices of whole workgroups (VK_NV_cooperative_matrix2)";
  if (variant.subgroup > 0 &&
      (variant.subgroup != device.shuffledLanes || device.matrices != MatrixKind::emulated))
    return fmt::format("it is for devices without matrices whose subgroups are {} invocations that shuffle",
                       variant.subgroup);
  if (variant.usesMatrices() && schedule.workgroup[0] % matrixLanes != 0) {
    return fmt::format("a workgroup {} wide, but {} invocations in a row hold a matrix",
                       schedule.workgroup[0], matrixLanes);
  }
  if (const std::string name = uniformHalves(graph, node, variant); !name.empty())
    return fmt::format("it reads '{}' as a uniform buffer, which holds no f16", name);
  if (const uint32_t side = longestSide(graph, node);
      schedule.storage == ResourceKind::image && side > device.maxImageSize)
    return fmt::format("{} pixels a side, images hold {}", side, device.maxImageSize);
  for (const Formula& formula : variant.whole) {
    const auto number = evaluate(graph, node, schedule, formula);
    if (number.value == 0 || number.rounded) {
      return fmt::format("{} is not a whole number above 0, so these constants don't go together",
                         formula.text());
    }
  }
  const uint32_t invocations = schedule.workgroup[0] * schedule.workgroup[1];
  if (invocations > device.maxWorkgroupInvocations) {
    return fmt::format("{} invocations a workgroup, the device allows {}", invocations,
                       device.maxWorkgroupInvocations);
  }
  if (const uint32_t shared = sharedBytes(graph, node, schedule); shared > device.maxSharedMemory)
    return fmt::format("{} bytes of shared memory, the device has {}", shared, device.maxSharedMemory);
  return {};
}

}  // namespace lacuna
