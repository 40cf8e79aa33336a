#include "tools/bench/subject.h"

#include <algorithm>

namespace lacuna {

Subject::Subject(Lab& lab, NodeGraph graph, const std::string& node, std::string timed)
    : lab_(lab), graph_(std::move(graph)), node_(nodeNamed(graph_, node).name), timed_(std::move(timed)) {}

std::string Subject::rejectionOf(const KernelSchedule& schedule) const {
  return rejection(graph_, node(), schedule, lab_.device.info().limits);
}

std::vector<std::string> Subject::schedulesOf(const VariantDescription& variant,
                                              const std::vector<std::string>& asked) const {
  const bool isFirst = lab_.arguments.candidates == "first";
  std::vector<std::string> names;
  for (const std::string& name : asked.empty() ? std::vector{variant.name} : asked) {
    const auto meant = kernelScheduleNamed(variants(), name);
    if (!meant || meant->variant != &variant) {
      continue;
    }
    std::vector<KernelSchedule> all = {*meant};
    if (const bool isWhole = name.find_first_of("@/") == std::string::npos; isWhole || !isFirst) {
      all = kernelSchedulesNamed(variants(), name);
      std::erase_if(all, [&](const KernelSchedule& each) { return each.storage != meant->storage; });
    }
    if (isFirst) {  // one that is refused shows why
      const auto fitting =
          std::find_if(all.begin(), all.end(), [&](const auto& each) { return rejectionOf(each).empty(); });
      all = {fitting == all.end() ? all.front() : *fitting};
    }
    for (const KernelSchedule& each : all) {
      if (std::find(names.begin(), names.end(), print(each)) == names.end()) {
        names.push_back(print(each));
      }
    }
  }
  return names;
}

std::unique_ptr<BenchChain> Subject::open(const std::string& schedule, Json& row,
                                          const std::function<FrameGraph(FrameGraph)>& change,
                                          const std::function<void(Shaders&)>& changeShaders) const {
  std::string refused = schedule.empty() ? "" : rejectionOf(named(schedule));
  FrameGraph passes;
  if (refused.empty()) {
    passes = lab_.passesOf(graph_, schedule.empty() ? ForcedSchedules{} : ForcedSchedules{{node_, schedule}},
                           refused);
  }
  if (refused.empty()) {
    try {
      return std::make_unique<BenchChain>(
          lab_, timed_, change ? change(std::move(passes)) : std::move(passes), changeShaders);
    } catch (const vk::DeviceError& error) {
      refused = error.what();
    }
  }
  row["refused"] = refused;
  return nullptr;
}

void checkVariants(const BenchArguments& arguments, const std::vector<const VariantDescription*>& variants) {
  if (variants.empty()) {
    throw BenchMistake("lacuna: the module that is found has no variants\n");
  }
  std::vector<std::string> known;
  for (const VariantDescription* variant : variants) {
    if (std::find(known.begin(), known.end(), variant->name) == known.end()) {
      known.push_back(variant->name);
    }
  }
  checkSchedules(
      arguments, [&](const std::string& name) { return kernelScheduleNamed(variants, name).has_value(); },
      fmt::format("no schedule has this name; there are {}; then @WxH, then /CONSTANT",
                  fmt::join(known, ", ")));
}

}  // namespace lacuna
