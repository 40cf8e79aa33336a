#include "graph/frame/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/passes/pass_builder.h"
#include "graph/schedule/kernel/kernel_maker.h"

namespace lacuna {
namespace {

void layoutPointwise(PassBuilder& builder, NodeId id, const Node& node) {
  std::vector<Role> roles;
  for (const NodePart& part : node.parts) {
    builder.partInputs(part, roles);
    builder.partOutputs(id, part, roles);
  }
  const Extent extent = builder.value(node.outputs.front().value).type.extent;
  builder.boundRoles(node, roles);
  ShaderSpec shader;
  builder.dispatch(id, "", shader, roles, extent, groupsFor(extent, 32, 8));
}

std::vector<Role> inputRoles(PassBuilder& builder, const Node& node, Extent& extent) {
  std::vector<Role> roles;
  for (const NamedValue& input : node.inputs) {
    if (input.value) {
      roles.push_back(builder.readRole("in_" + input.name, input.value));
      const ValueType& type = builder.value(input.value).type;
      // In tiles, images of the previous frame are larger than others.
      const bool isSmaller = extent == Extent() || pixelCount(type.extent) < pixelCount(extent);
      extent = !type.isArray() && isSmaller ? type.extent : extent;
    }
  }
  return roles;
}

// Reports reductions that no device, or not this one, can run.
void checkReduce(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                 Diagnostics& diagnostics) {
  const Location where = graph.modules.modules[node.module].where;
  const uint32_t bins = node.description->reduce.bins;
  const uint64_t bytes = bins > 0 ? uint64_t{4} * (bins + reduceWorkgroup) : 0;
  if (bytes > device.maxSharedMemory) {
    diagnostics.error(where, fmt::format("{} counts in {} bytes of shared memory, the device has {}",
                                         node.name, bytes, device.maxSharedMemory));
  }
  if (std::ranges::none_of(node.inputs, [&](const NamedValue& input) {
        return input.value && !graph.values[input.value].type.isArray();
      }))
    diagnostics.error(where, fmt::format("{} has no image to reduce", node.name));
}

// `count` workgroups, in rows if the device allows fewer in one; the last row may have extra ones.
std::array<uint32_t, 3> inRows(uint32_t count, const DeviceModel& device) {
  const uint32_t rows = std::max(1U, divideUp(count, device.maxWorkgroups[0]));
  return {divideUp(count, rows), rows, 1};
}

void layoutReduce(PassBuilder& builder, NodeId id, const Node& node, const DeviceModel& device) {
  const ReduceDescription& reduce = node.description->reduce;
  Extent extent;
  std::vector<Role> first = inputRoles(builder, node, extent);
  builder.boundRoles(node, first);
  const uint64_t pixels = static_cast<uint64_t>(extent.width) * extent.height;
  constexpr uint64_t pixelsPerGroup = uint64_t{reduceWorkgroup} * reducePixelsPerThread;
  const std::array<uint32_t, 3> groups =
      inRows(static_cast<uint32_t>((pixels + pixelsPerGroup - 1) / pixelsPerGroup), device);
  const bool histogram = reduce.bins > 0;
  const uint32_t components = reduceComponents(reduce.value);
  const std::string name = histogram ? "counters" : "partials";
  const Format format = Format::u32;
  const ResourceId between =
      reduce.counts
          ? builder.resourceOf(node.outputs.front().value)
          : builder.makeArray(node.name + "." + name,
                              4 * (histogram ? reduce.bins : uint64_t{groups[0]} * groups[1] * components));
  if (histogram) {
    builder.transfer(PassKind::fill, id, ".clear",
                     {{between, AccessKind::write, AccessPoint::transfer, 0, 0}});
  }
  ShaderSpec shader;
  shader.kind = histogram ? ShaderKind::histogramCount : ShaderKind::reducePartial;
  first.push_back(
      builder.arrayRole(name, histogram ? AccessKind::readWrite : AccessKind::write, format, between));
  builder.dispatch(id, histogram ? ".count" : ".partial", shader, first, extent, groups);
  if (reduce.counts)
    return;

  std::vector<Role> last = {builder.arrayRole(name, AccessKind::read, format, between)};
  for (const NamedValue& output : node.outputs)
    last.push_back(builder.writeRole("out_" + output.name, output.value));
  builder.boundRoles(node, last);
  shader.kind = histogram ? ShaderKind::histogramFinish : ShaderKind::reduceFinish;
  builder.dispatch(id, ".finish", shader, last, extent, {1, 1, 1});
}

void layoutHost(PassBuilder& builder, NodeId id, const Node& node, const DeviceModel& device) {
  std::vector<Role> roles;
  for (const NamedValue& input : node.inputs) {
    if (input.value) {
      roles.push_back(builder.readRole(input.name, input.value));
      roles.back().type = typeAtKernel(builder.graph(), node, input);
    }
  }
  for (const NamedValue& output : node.outputs) {
    roles.push_back(builder.writeRole(output.name, output.value));
    if (builder.value(output.value).zeroed) {
      builder.transfer(PassKind::fill, id, "." + output.name + ".clear",
                       {{roles.back().resources.front(), AccessKind::write, AccessPoint::transfer, 0, 0}});
    }
  }
  builder.host(id, std::move(roles), device.cpu);
}

void layoutEnds(PassBuilder& builder, NodeId id, const Node& node) {
  const bool source = node.kind == NodeKind::source;
  for (const NamedValue& end : source ? node.outputs : node.inputs) {
    if (end.value) {
      builder.transfer(source ? PassKind::upload : PassKind::download, id, "." + end.name,
                       {{builder.resourceOf(end.value), source ? AccessKind::write : AccessKind::read,
                         AccessPoint::transfer, 0, 0}});
      if (const ResourceId counter = builder.counterOf(end.value); counter && !source) {
        builder.transfer(PassKind::download, id, "." + end.name + ".notFinite",
                         {{counter, AccessKind::read, AccessPoint::transfer, 0, 0}});
      }
    }
  }
}

// Last frame's values.
void layoutFeedback(PassBuilder& builder) {
  for (const ValueId id : builder.graph().values.ids()) {
    const Value& value = builder.graph().values[id];
    if (value.feedback)
      builder.keep(value.feedbackOf, id);
  }
}

}  // namespace

FrameGraph layout(Plan plan, const DeviceModel& device, Diagnostics& diagnostics) {
  Table<NodeId, bool> images;
  for (const FilterSchedulePtr& schedule : plan.schedules)
    images.push_back(schedule != nullptr && schedule->wantsImages());
  Table<ValueId, ResourceKind> storage = placeValues(plan.graph, images, device);
  PassBuilder builder(std::move(plan.graph), std::move(storage));
  for (const NodeId id : builder.graph().nodes.ids()) {
    const Node& node = builder.graph().nodes[id];
    if (plan.schedules[id] != nullptr) {
      plan.schedules[id]->addPasses(builder, id, device);
      continue;
    }
    switch (node.kind) {
      case NodeKind::pointwise:
        layoutPointwise(builder, id, node);
        break;
      case NodeKind::reduce:
        checkReduce(builder.graph(), node, device, diagnostics);
        layoutReduce(builder, id, node, device);
        break;
      case NodeKind::kernel:
        addKernelPass(builder, id, {}, device);
        break;
      case NodeKind::host:
        layoutHost(builder, id, node, device);
        break;
      case NodeKind::source:
      case NodeKind::sink:
        layoutEnds(builder, id, node);
        break;
      case NodeKind::stencil:  // it has no schedule, which was reported
      case NodeKind::native:   // the node into which it was fused takes its place
        break;
    }
  }
  layoutFeedback(builder);
  return {builder.finish(), std::move(plan.choices)};
}

}  // namespace lacuna
