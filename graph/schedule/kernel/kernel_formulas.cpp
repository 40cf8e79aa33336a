// The numbers that a variant states by formulas, for a node under a schedule.

#include <algorithm>
#include <bit>
#include <cmath>
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

// Milliseconds for a billion of each, and before a kernel begins. Products count one after another: those of
// a subgroup, as often as subgroups take turns. In plain arithmetic they aren't estimated.
struct KernelRates {
  double operations, loads, bytes, start, products;
};
// Of an H200, fitted to the times of cnn-unet's layers at two sizes.
constexpr KernelRates gpuRates = {0.012, 0.12, 0.25, 0.0096, 29000.0};
constexpr KernelRates cpuRates = {8.75, 500.0, 40.0, 0.0, 0.0};  // two cores by lavapipe

constexpr uint64_t multiprocessors = 132;

// Turns in which a GPU's multiprocessors, each with as many subgroups as its registers hold, run workgroups.
double turnsOf(uint64_t workgroups, uint64_t invocations, uint64_t registers) {
  constexpr uint64_t words = 65536, lanes = 32, most = 64, everyKernels = 40;
  const uint64_t subgroups = (invocations + lanes - 1) / lanes;
  const uint64_t together =
      std::max<uint64_t>(std::min(most, words / (lanes * (everyKernels + registers))) / subgroups, 1);
  return std::ceil(static_cast<double>(workgroups) / static_cast<double>(multiprocessors * together));
}

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

// Subgroups of 32 read whole lines of memory where rows are 32 wide; where these are too few workgroups to
// fill a GPU's multiprocessors, smaller ones are more.
std::array<uint32_t, 2> workgroupOf(const NodeGraph& graph, const Node& node) {
  const KernelDescription& kernel = node.description->kernel;
  if (kernel.workgroup[0] > 0)
    return kernel.workgroup;
  if (node.description->isSpirv())
    return spirvWorkgroup;
  if (kernel.matrix)
    return {matrixLanes, 4};
  const Extent extent = kernelExtent(graph, node);
  constexpr uint32_t line = 64, mostLines = 65535, large = 256;
  if (extent.height == 1 && extent.width <= line * mostLines)
    return {std::min(std::bit_ceil(extent.width), line), 1};
  if (extent.height == 1)
    return {large, 1};
  constexpr uint64_t fewGroups = 2 * multiprocessors;
  return uint64_t{extent.width} * extent.height < fewGroups * large ? std::array{8U, 8U}
                                                                    : std::array{32U, 8U};
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
      schedule.variant == nullptr ? workgroupOf(graph, node) : pixelsOfWorkgroup(schedule);
  const Extent extent = kernelExtent(graph, node);
  return {(extent.width + pixels[0] - 1) / pixels[0], (extent.height + pixels[1] - 1) / pixels[1]};
}

double kernelMs(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                const DeviceModel& device) {
  const auto& cost = schedule.variant->cost;
  if (!cost)
    return 0.0;
  const KernelRates& ms = device.cpu ? cpuRates : gpuRates;
  const auto [across, down] = workgroupsOf(graph, node, schedule);
  const uint64_t workgroups = uint64_t{across} * down;
  const auto number = [&](const Formula& formula) {
    const auto value = formula.evaluate([&](std::string_view name) {
      return name == "workgroups" ? std::optional(static_cast<int64_t>(workgroups))
                                  : numberOf(graph, node, schedule, name);
    });
    return static_cast<double>(value.value);
  };
  const uint64_t invocations = uint64_t{schedule.workgroup[0]} * schedule.workgroup[1];
  double products = number(cost->products);
  if (products > 0.0 && device.matrices == MatrixKind::emulated)
    return 0.0;
  if (products > 0.0)
    products *= turnsOf(workgroups, invocations, static_cast<uint64_t>(number(cost->registers))) /
                static_cast<double>(workgroups * std::max<uint64_t>(invocations / matrixLanes, 1));
  const double bytes = static_cast<double>(floorBytes(graph, node));
  return ms.start + 1e-9 * std::max(number(cost->operations) * ms.operations +
                                        number(cost->loads) * ms.loads + products * ms.products,
                                    bytes * ms.bytes);
}

}  // namespace lacuna
