// The numbers that a variant states by formulas, for a node under a schedule.

#include <algorithm>
#include <optional>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/maker.h"

namespace lacuna {
namespace {

std::optional<int64_t> numberOf(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                                std::string_view name) {
  if (name == "width" || name == "height")
    return schedule.workgroup[name == "width" ? 0 : 1];
  if (name == "columns" || name == "rows") {
    const Extent extent = kernelExtent(graph, node);
    return name == "columns" ? extent.width : extent.height;
  }
  const auto& constants = schedule.variant->constants;
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].name == name)
      return schedule.constants[i];
  if (name.starts_with("bytes_")) {
    const ValueId value = valueNamed(node.inputs, name.substr(6));
    if (!value)
      return 0;
    const ValueType& type = graph.values[value].type;
    const int64_t bytes = bytesPerElement(type);
    return type.isPlanes() ? bytes * planeCount(type) : bytes;
  }
  const ModuleInstance& owner = instanceOf(graph, node);
  if (owner.description->parameter(std::string(name)) == nullptr)
    return std::nullopt;
  const ParameterValue& value = owner.value(std::string(name));
  const auto* whole = std::get_if<int64_t>(&value);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

// Milliseconds for a billion of each.
struct KernelRates {
  double operations, loads, products, bytes;
};
constexpr KernelRates gpuRates = {0.012, 0.25, 12.5, 0.25};
constexpr KernelRates cpuRates = {8.75, 500.0, 200000.0, 40.0};  // two cores by lavapipe

}  // namespace

Formula::Result evaluate(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                         const Formula& formula) {
  return formula.evaluate([&](std::string_view name) { return numberOf(graph, node, schedule, name); });
}

uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule) {
  if (schedule.variant == nullptr || schedule.variant->shared.text().empty())
    return 0;
  const auto bytes = evaluate(graph, node, schedule, schedule.variant->shared);
  return static_cast<uint32_t>(std::min<int64_t>(bytes.value, UINT32_MAX));
}

std::array<uint32_t, 2> workgroupsOf(const NodeGraph& graph, const Node& node,
                                     const KernelSchedule& schedule) {
  const auto count = [](int64_t number) {
    return static_cast<uint32_t>(std::clamp<int64_t>(number, 1, UINT32_MAX));
  };
  if (schedule.variant != nullptr && !schedule.variant->groups.empty()) {
    const auto at = [&](size_t i) {
      return count(evaluate(graph, node, schedule, schedule.variant->groups[i]).value);
    };
    return {at(0), at(1)};
  }
  const std::array<uint32_t, 2> pixels =
      schedule.variant == nullptr ? node.description->kernel.workgroup : pixelsOfWorkgroup(schedule);
  const Extent extent = kernelExtent(graph, node);
  return {(extent.width + pixels[0] - 1) / pixels[0], (extent.height + pixels[1] - 1) / pixels[1]};
}

double kernelMs(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                const DeviceModel& device) {
  const auto& cost = schedule.variant->cost;
  if (!cost)
    return 0.0;
  const KernelRates& ms = device.cpu ? cpuRates : gpuRates;
  const auto billions = [&](const Formula& formula) {
    return 1e-9 * static_cast<double>(evaluate(graph, node, schedule, formula).value);
  };
  return std::max(billions(cost->operations) * ms.operations + billions(cost->products) * ms.products,
                  1e-9 * static_cast<double>(floorBytes(graph, node)) * ms.bytes) +
         billions(cost->loads) * ms.loads;
}

}  // namespace lacuna
