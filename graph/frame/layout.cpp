#include "graph/frame/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/nodes/fuse_join.h"
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

bool isKept(const NodeGraph& graph, ValueId value) {
  return std::ranges::any_of(graph.values, [&](const Value& next) { return next.feedbackOf == value; });
}

// Whether the value's pass can write it into the memory of a sink: it has no other use.
bool isForSinkAlone(const NodeGraph& graph, ValueId id, NodeId sink) {
  const Value& value = graph.values[id];
  if (!value.producer || value.feedback || value.kept || value.zeroed || !isReadOnlyBy(graph, id, sink))
    return false;
  const Node& producer = graph.nodes[value.producer];
  return producer.kind != NodeKind::source && producer.kind != NodeKind::host &&
         !producer.description->isSpirv();
}

// Values in a program's memory.
class GivenEnds {
 public:
  GivenEnds(PassBuilder& builder, const GivenPlaces& given, Diagnostics& diagnostics)
      : builder_(builder), given_(given), diagnostics_(diagnostics) {}

  void giveAll() const {
    for (const NodeId id : builder_.graph().nodes.ids()) {
      const Node& node = builder_.graph().nodes[id];
      const ValueId value = placeOf(node) == nullptr ? ValueId{} : valueOf(node);
      if (value && (node.kind == NodeKind::source ? mayRead(node, value) : mayWrite(node, value, id)))
        builder_.give(value, nameOf(node), *placeOf(node));
    }
  }

  // False if the node's memory isn't the program's.
  bool addPasses(NodeId id, const Node& node) const {
    const GivenPlace* place = placeOf(node);
    const ValueId value = place == nullptr ? ValueId{} : valueOf(node);
    if (value && node.kind == NodeKind::sink && !isForSinkAlone(builder_.graph(), value, id)) {
      const ResourceId copy = builder_.makeGiven(builder_.value(value).type, nameOf(node), *place);
      builder_.transfer(PassKind::copy, id, ".copy",
                        {{builder_.resourceOf(value), AccessKind::read, AccessPoint::transfer, 0, 0},
                         {copy, AccessKind::write, AccessPoint::transfer, 0, 0}});
    }
    return place != nullptr;
  }

 private:
  std::string nameOf(const Node& node) const { return instanceOf(builder_.graph(), node).name(); }

  static ValueId valueOf(const Node& node) {
    const auto& ends = node.kind == NodeKind::source ? node.outputs : node.inputs;
    return ends.empty() ? ValueId{} : ends.front().value;
  }

  const GivenPlace* placeOf(const Node& node) const {
    const bool isEnd = node.kind == NodeKind::source || node.kind == NodeKind::sink;
    if (!isEnd || !node.description->memory)
      return nullptr;
    const auto found = given_.find(nameOf(node));
    return found == given_.end() ? nullptr : &found->second;
  }

  bool mayRead(const Node& node, ValueId value) const {
    const NodeGraph& graph = builder_.graph();
    const ValueType& type = graph.values[value].type;
    const GivenPlace& place = *placeOf(node);
    if (place.kind == ResourceKind::buffer)
      return true;
    if (!hasChannels(place.format, type.channels))
      refuse(node, fmt::format("has fewer components than {}", name(type.channels)), "");
    else if (isKept(graph, value) && !hasWordsOf(place.format, type.channels, type.format))
      refuse(
          node,
          fmt::format("can't be copied for the next frame as {} {}", name(type.channels), name(type.format)),
          formatsFor(type.channels, type.format, true));
    for (const Node& reader : graph.nodes)
      if (reader.description->isSpirv() && !isReadOnlyByOthers(reader, value))
        refuse(node, fmt::format("is read by {}, a shader in SPIR-V, which reads buffers alone", reader.name),
               "");
    return true;
  }

  static bool isReadOnlyByOthers(const Node& node, ValueId value) {
    return std::ranges::none_of(node.inputs, [&](const NamedValue& input) { return input.value == value; });
  }

  bool mayWrite(const Node& node, ValueId value, NodeId id) const {
    const ValueType& type = builder_.value(value).type;
    const GivenPlace& place = *placeOf(node);
    const bool isAlone = isForSinkAlone(builder_.graph(), value, id);
    const bool fits = place.kind == ResourceKind::buffer ||
                      (isAlone ? holds(place.format, type.channels, type.format)
                               : hasWordsOf(place.format, type.channels, type.format));
    if (!fits)
      refuse(node, fmt::format("doesn't hold {} {}", name(type.channels), name(type.format)),
             formatsFor(type.channels, type.format, !isAlone));
    return isAlone && fits;
  }

  void refuse(const Node& node, const std::string& why, const std::string& expected) const {
    diagnostics_.error(
        instanceOf(builder_.graph(), node).where,
        fmt::format("{}: its image of format {} {}; expected {}a buffer", nameOf(node),
                    name(placeOf(node)->format), why, expected.empty() ? "" : expected + ", or "));
  }

  PassBuilder& builder_;
  const GivenPlaces& given_;
  Diagnostics& diagnostics_;
};

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

FrameGraph layout(Plan plan, const DeviceModel& device, Diagnostics& diagnostics, const GivenPlaces& given) {
  Table<NodeId, bool> images;
  for (const FilterSchedulePtr& schedule : plan.schedules)
    images.push_back(schedule != nullptr && schedule->wantsImages());
  Table<ValueId, ResourceKind> storage = placeValues(plan.graph, images, device);
  PassBuilder builder(std::move(plan.graph), std::move(storage));
  const GivenEnds ends(builder, given, diagnostics);
  ends.giveAll();
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
        if (!ends.addPasses(id, node))
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
