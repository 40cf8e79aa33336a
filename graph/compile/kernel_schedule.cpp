#include "graph/compile/kernel_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/compile/candidates.h"
#include "graph/compile/schedule_words.h"
#include "graph/config/text.h"
#include "graph/module/arithmetic.h"
#include "graph/module/condition.h"
#include "graph/module/variant_name.h"

namespace lacuna {
namespace {

const ModuleInstance& instanceOf(const NodeGraph& graph, const Node& node) {
  return graph.modules.modules[static_cast<size_t>(node.module)];
}

KernelSchedule defaultOf(const VariantDescription& variant) {
  KernelSchedule schedule;
  schedule.variant = &variant;
  schedule.workgroup = variant.workgroups.front();
  schedule.storage = variant.images ? ResourceKind::image : ResourceKind::buffer;
  for (const VariantConstant& constant : variant.constants) {
    schedule.constants.push_back(static_cast<int32_t>(constant.values.front()));
  }
  return schedule;
}

std::vector<std::string> namesOf(const std::vector<const VariantDescription*>& variants) {
  std::vector<std::string> names;
  for (const VariantDescription* variant : variants) {
    names.push_back(variant->name);
  }
  return names;
}

// The one of that name, else the only one that begins with it.
const VariantDescription* find(const std::vector<const VariantDescription*>& variants,
                               const std::string& name) {
  const VariantDescription* found = nullptr;
  int count = 0;
  for (const VariantDescription* variant : variants) {
    if (variant->name == name) {
      return variant;
    }
    if (!name.empty() && variant->name.starts_with(name)) {
      found = variant;
      ++count;
    }
  }
  return count == 1 ? found : nullptr;
}

// "image" or "buffer", or "n4" into the constant that it means; false: there is none.
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

std::optional<int64_t> numberOf(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                                std::string_view name) {
  if (name == "width" || name == "height") {
    return schedule.workgroup[name == "width" ? 0 : 1];
  }
  const auto& constants = schedule.variant->constants;
  for (size_t i = 0; i < constants.size(); ++i) {
    if (constants[i].name == name) {
      return schedule.constants[i];
    }
  }
  if (name.starts_with("bytes_")) {
    const int value = valueNamed(node.inputs, name.substr(6));
    const ValueType type = value == noValue ? ValueType{} : graph.values[static_cast<size_t>(value)].type;
    return value == noValue ? 0 : bytesPerPixel(type.channels, type.format);
  }
  const ModuleInstance& owner = instanceOf(graph, node);
  if (owner.description->parameter(std::string(name)) == nullptr) {
    return std::nullopt;
  }
  const ParameterValue& value = owner.parameter(std::string(name)).values.front();
  const auto* whole = std::get_if<int64_t>(&value);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

bool fitsFormat(const NodeGraph& graph, const Node& node, const VariantDescription& variant) {
  const int value = node.inputs.empty() ? noValue : node.inputs.front().value;
  return variant.formats.empty() ||
         (value != noValue && std::count(variant.formats.begin(), variant.formats.end(),
                                         graph.values[static_cast<size_t>(value)].type.format) > 0);
}

bool isFor(const VariantDescription& variant, const DeviceModel& device) {
  return variant.isExact() && (variant.device == VariantDevice::any ||
                               variant.device == (device.cpu ? VariantDevice::cpu : VariantDevice::gpu));
}

// What `forced` asks of this node; `own`: of it alone.
struct Asked {
  std::string name = "auto";
  bool own = false;
};

Asked askedOf(const NodeGraph& graph, const Node& node, const ForcedSchedules& forced) {
  for (const std::string& owner : {node.name, instanceOf(graph, node).name()}) {
    if (const auto found = forced.find(owner); found != forced.end()) {
      return {found->second, true};
    }
  }
  const auto any = forced.find("");
  return any == forced.end() ? Asked{} : Asked{any->second, false};
}

Candidate candidateOf(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device) {
  Candidate told;
  told.schedule = print(schedule);
  told.rejected = rejection(graph, node, schedule, device);
  told.passes = 1;
  told.bytes = floorBytes(graph, node);
  return told;
}

// The first that is for the device.
KernelSchedule best(const std::vector<const VariantDescription*>& variants, const NodeGraph& graph,
                    const Node& node, const DeviceModel& device, std::string& reason) {
  reason = fmt::format("auto: the first for {}s that fits", device.cpu ? "CPU" : "GPU");
  for (const VariantDescription* variant : variants) {
    const KernelSchedule schedule = defaultOf(*variant);
    if (isFor(*variant, device) && rejection(graph, node, schedule, device).empty()) {
      return schedule;
    }
  }
  reason = "auto: the first";
  return defaultOf(*variants.front());
}

}  // namespace

std::vector<const VariantDescription*> variantsOf(const NodeGraph& graph, const Node& node) {
  std::vector<const VariantDescription*> found;
  for (const VariantDescription& variant : instanceOf(graph, node).description->variants) {
    if (node.kind == NodeKind::kernel &&
        std::count(variant.nodes.begin(), variant.nodes.end(), node.description->name) > 0) {
      found.push_back(&variant);
    }
  }
  return found;
}

uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule) {
  if (schedule.variant == nullptr || schedule.variant->shared.empty()) {
    return 0;
  }
  const Arithmetic bytes = evaluate(
      schedule.variant->shared, [&](std::string_view name) { return numberOf(graph, node, schedule, name); });
  return static_cast<uint32_t>(std::min<int64_t>(bytes.value, UINT32_MAX));
}

std::string print(const KernelSchedule& schedule) {
  std::string text =
      fmt::format("{}@{}x{}", schedule.variant->name, schedule.workgroup[0], schedule.workgroup[1]);
  for (size_t i = 0; i < schedule.constants.size(); ++i) {
    const VariantConstant& constant = schedule.variant->constants[i];
    if (constant.values.size() > 1) {
      text += fmt::format("/{}{}", lowerCase(constant.name), schedule.constants[i]);
    }
  }
  return text + (schedule.storage == ResourceKind::image ? "/image" : "/buffer");
}

std::optional<KernelSchedule> kernelScheduleNamed(const std::vector<const VariantDescription*>& variants,
                                                  const std::string& name) {
  const size_t slash = std::min(name.find('/'), name.size());
  const size_t at = std::min(name.find('@'), slash);
  const VariantDescription* variant = find(variants, name.substr(0, at));
  if (variant == nullptr) {
    return std::nullopt;
  }
  KernelSchedule schedule = defaultOf(*variant);
  if (at < slash) {
    const auto workgroup = workgroupNamed(name.substr(at + 1, slash - at - 1));
    if (!workgroup) {
      return std::nullopt;
    }
    schedule.workgroup = *workgroup;
  }
  for (size_t from = slash; from < name.size();) {
    const size_t end = std::min(name.find('/', from + 1), name.size());
    if (!setWord(schedule, name.substr(from + 1, end - from - 1))) {
      return std::nullopt;
    }
    from = end;
  }
  return schedule;
}

std::vector<KernelSchedule> allKernelSchedules(const VariantDescription& variant) {
  std::vector<KernelSchedule> all;
  for (const auto& workgroup : variant.workgroups) {
    all.push_back(defaultOf(variant));
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

std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device) {
  const VariantDescription& variant = *schedule.variant;
  if (!fitsFormat(graph, node, variant)) {
    std::vector<std::string> formats;
    for (const Format format : variant.formats) {
      formats.emplace_back(name(format));
    }
    return fmt::format("it is for images in {}", joinNames(formats));
  }
  if (!holds(variant.when, [&](const std::string& parameter) -> const ParameterValue& {
        return instanceOf(graph, node).parameter(parameter).values.front();
      })) {
    return fmt::format("it is for {}", variant.when);
  }
  if (variant.float16 && !device.float16) {
    return "the device has no arithmetic in half precision";
  }
  const uint32_t invocations = schedule.workgroup[0] * schedule.workgroup[1];
  if (invocations > device.maxWorkgroupInvocations) {
    return fmt::format("{} invocations a workgroup, the device allows {}", invocations,
                       device.maxWorkgroupInvocations);
  }
  if (const uint32_t shared = sharedBytes(graph, node, schedule); shared > device.maxSharedMemory) {
    return fmt::format("{} bytes of shared memory, the device has {}", shared, device.maxSharedMemory);
  }
  return {};
}

ChosenKernel chooseKernel(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                          const ForcedSchedules& forced, Diagnostics& diagnostics) {
  const std::vector<const VariantDescription*> variants = variantsOf(graph, node);
  const Asked asked = askedOf(graph, node, forced);
  ChosenKernel chosen;
  Choice& choice = chosen.choice;
  choice.node = node.name;
  choice.floorBytes = floorBytes(graph, node);
  choice.floorMs =
      device.bandwidth > 0.0 ? 1e3 * static_cast<double>(choice.floorBytes) / device.bandwidth : 0.0;
  std::string reason;
  chosen.schedule = best(variants, graph, node, device, reason);
  if (asked.name != "auto") {
    const auto named = kernelScheduleNamed(variants, asked.name);
    if (named) {
      chosen.schedule = *named;
      choice.asked = true;
      reason = fmt::format("asked for as '{}'", asked.name);
    } else if (asked.own) {
      diagnostics.error({}, fmt::format("no schedule of {} is called '{}'", node.name, asked.name),
                        fmt::format("there are {}; then @WxH, then /CONSTANT", joinNames(namesOf(variants))));
    }
  }
  if (const std::string why = rejection(graph, node, chosen.schedule, device); !why.empty()) {
    diagnostics.error(
        choice.asked ? Location{} : instanceOf(graph, node).where,
        fmt::format("the device can't run {} as {}: {}", node.name, print(chosen.schedule), why));
  }
  choice.schedule = print(chosen.schedule);
  choice.reason = reason;
  choice.candidates.push_back(candidateOf(graph, node, chosen.schedule, device));
  for (const VariantDescription* variant : variants) {
    const KernelSchedule other = defaultOf(*variant);
    if (print(other) != choice.schedule) {
      choice.candidates.push_back(candidateOf(graph, node, other, device));
    }
  }
  std::stable_sort(
      choice.candidates.begin() + 1, choice.candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.rejected.empty() > b.rejected.empty(); });
  return chosen;
}

}  // namespace lacuna
