#include "graph/schedule/kernel/kernel_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/module/description.h"
#include "graph/nodes/output_extent.h"
#include "graph/schedule/stencil/schedule_words.h"

namespace lacuna {
namespace {

// The one of that name, else the only one whose name begins with it.
const VariantDescription* find(const std::vector<const VariantDescription*>& variants,
                               const std::string& name) {
  const VariantDescription* found = nullptr;
  int count = 0;
  for (const VariantDescription* variant : variants) {
    if (variant->name == name)
      return variant;
    if (!name.empty() && variant->name.starts_with(name)) {
      found = variant;
      ++count;
    }
  }
  return count == 1 ? found : nullptr;
}

// Pixels of an invocation along one side: a number, or a constant's value.
uint32_t pixelsOf(const KernelSchedule& schedule, const std::string& pixels) {
  const auto& constants = schedule.variant->constants;
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].name == pixels)
      return static_cast<uint32_t>(std::max(schedule.constants[i], 1));
  return static_cast<uint32_t>(parseInteger(pixels).value_or(1));
}

// "image" or "buffer", or "n4" into the constant that it means; false if there is none.
bool setWord(KernelSchedule& schedule, const std::string& word) {
  if (word == "image" || word == "buffer") {
    schedule.storage = word == "image" ? ResourceKind::image : ResourceKind::buffer;
    return true;
  }
  const std::string name = variantConstantIn(word);
  const auto& constants = schedule.variant->constants;
  for (size_t i = 0; i < constants.size(); ++i) {
    if (!name.empty() && lowerCase(constants[i].name) == name && constants[i].values.size() > 1) {
      const auto value = parseInteger(word.substr(name.size()));
      if (value && *value <= maxVariantConstant) {
        schedule.constants[i] = static_cast<int32_t>(*value);
        return true;
      }
    }
  }
  return false;
}

// The rest of a name after the variant: "@8x8/n4"; false if it means nothing.
bool setDetails(KernelSchedule& schedule, const std::string& details) {
  const size_t slash = std::min(details.find('/'), details.size());
  if (slash > 0) {
    const auto workgroup = workgroupNamed(details.substr(1, slash - 1));
    if (!workgroup)
      return false;
    schedule.workgroup = *workgroup;
  }
  for (size_t from = slash; from < details.size();) {
    const size_t end = std::min(details.find('/', from + 1), details.size());
    if (!setWord(schedule, details.substr(from + 1, end - from - 1)))
      return false;
    from = end;
  }
  return true;
}

}  // namespace

std::vector<const VariantDescription*> variantsOf(const NodeGraph& graph, const Node& node) {
  std::vector<const VariantDescription*> found;
  for (const VariantDescription& variant : instanceOf(graph, node).description->variants)
    if (node.kind == NodeKind::kernel && contains(variant.nodes, node.description->name))
      found.push_back(&variant);
  return found;
}

KernelSchedule defaultSchedule(const VariantDescription& variant) {
  KernelSchedule schedule;
  schedule.variant = &variant;
  schedule.workgroup = variant.workgroups.front();
  schedule.storage = variant.images ? ResourceKind::image : ResourceKind::buffer;
  for (const VariantConstant& constant : variant.constants)
    schedule.constants.push_back(static_cast<int32_t>(constant.values.front()));
  return schedule;
}

std::string print(const KernelSchedule& schedule) {
  std::string text =
      fmt::format("{}@{}x{}", schedule.variant->name, schedule.workgroup[0], schedule.workgroup[1]);
  for (size_t i = 0; i < schedule.constants.size(); ++i) {
    const VariantConstant& constant = schedule.variant->constants[i];
    if (constant.values.size() > 1)
      text += fmt::format("/{}{}", lowerCase(constant.name), schedule.constants[i]);
  }
  return text + (schedule.storage == ResourceKind::image ? "/image" : "/buffer");
}

std::optional<KernelSchedule> kernelScheduleNamed(const std::vector<const VariantDescription*>& variants,
                                                  const std::string& name) {
  const size_t end = std::min(name.find_first_of("@/"), name.size());
  const VariantDescription* variant = find(variants, name.substr(0, end));
  if (variant == nullptr)
    return std::nullopt;
  KernelSchedule schedule = defaultSchedule(*variant);
  return setDetails(schedule, name.substr(end)) ? std::optional(schedule) : std::nullopt;
}

std::vector<KernelSchedule> kernelSchedulesNamed(const std::vector<const VariantDescription*>& variants,
                                                 const std::string& name) {
  const auto usual = kernelScheduleNamed(variants, name);
  if (!usual)
    return {};
  std::vector<KernelSchedule> all = allKernelSchedules(*usual->variant);
  for (size_t i = 0, count = all.size(); usual->variant->images && i < count; ++i) {
    all.push_back(all[i]);
    all.back().storage = ResourceKind::buffer;
  }
  for (KernelSchedule& schedule : all)
    setDetails(schedule, name.substr(std::min(name.find_first_of("@/"), name.size())));
  return all;
}

std::vector<KernelSchedule> allKernelSchedules(const VariantDescription& variant) {
  std::vector<KernelSchedule> all;
  for (const auto& workgroup : variant.workgroups) {
    all.push_back(defaultSchedule(variant));
    all.back().workgroup = workgroup;
  }
  for (size_t c = 0; c < variant.constants.size(); ++c) {
    const std::vector<KernelSchedule> before = std::move(all);
    all.clear();
    for (const KernelSchedule& schedule : before) {
      for (const int64_t value : variant.constants[c].values) {
        all.push_back(schedule);
        all.back().constants[c] = static_cast<int32_t>(value);
      }
    }
  }
  return all;
}

std::array<uint32_t, 2> pixelsOfWorkgroup(const KernelSchedule& schedule) {
  return {schedule.workgroup[0] * pixelsOf(schedule, schedule.variant->pixels[0]),
          schedule.workgroup[1] * pixelsOf(schedule, schedule.variant->pixels[1])};
}

namespace {

// Those that the node states.
Extent invocationsOf(const NodeGraph& graph, const Node& node) {
  std::map<std::string, ValueType> inputs;
  for (const NamedValue& input : node.inputs)
    if (input.value)
      inputs[input.name] = typeAtKernel(graph, node, input);
  Diagnostics known;  // when types were inferred
  const auto sizes =
      statedSizes(instanceOf(graph, node), node.description->kernel.invocations, "", inputs, known)
          .value_or(std::vector<uint32_t>{1});
  Extent extent{sizes.back(), 1};
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    extent.height *= sizes[i];
  return extent;
}

}  // namespace

Extent kernelExtent(const NodeGraph& graph, const Node& node) {
  if (!node.description->kernel.invocations.empty())
    return invocationsOf(graph, node);
  const std::string& wanted = node.description->kernel.extentOf;
  const NodePart& own = ownPart(node);
  const auto extentOf = [&](const std::string& name, const ValueType& type) {
    const auto& outputs = node.description->outputs;
    const bool statesShape = std::ranges::any_of(
        outputs, [&](const NodeOutput& output) { return output.name == name && !output.shape.empty(); });
    const uint32_t columns = statesShape ? shapeVector(type)[3] : type.arrayCount;
    return type.isArray() && !type.isPlanes() ? Extent{columns, type.arrayCount / columns} : type.extent;
  };
  std::vector<std::pair<std::string, ValueType>> ends;
  for (size_t i = 0; i < own.outputs.size(); ++i)
    ends.emplace_back(own.outputs[i].name, own.outputTypes[i]);
  for (const NamedValue& input : node.inputs)
    if (input.value)
      ends.emplace_back(input.name, typeAtKernel(graph, node, input));
  for (const auto& [name, type] : ends) {
    const bool hasExtent = !type.isArray() || type.isPlanes();
    if (wanted.empty() ? hasExtent : name == wanted)
      return extentOf(name, type);
  }
  return own.outputs.empty() ? Extent{1, 1} : extentOf(own.outputs.front().name, own.outputTypes.front());
}

}  // namespace lacuna
