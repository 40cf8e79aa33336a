#include "tools/bench/rhf/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "graph/compile/compile.h"
#include "graph/run/session.h"
#include "graph/run/tune/filter_alone.h"
#include "graph/shader/compile.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr const char* rhfNode = "rhf:01:scales";  // with all nodes that it builds
constexpr const char* searchNode = "rhf:01:scales/search0";
constexpr const char* imageValue = "pathtrace:01:render.output";
// Of variants that round bins, and of the method `pairs`, which sums in another order: pixels whose distance
// is about the threshold are averaged by one and not by another.
constexpr double allowedRounded = 5e-2;
constexpr const char* histogramValue = "pathtrace:01:render.histogram";

std::string rhfText(const RhfTask& task, const RhfStep& step) {
  return fmt::format(
      "lacuna:1\nmodule:pathtrace:01\nmodule:rhf:01\nmodule:o-memory:01\n"
      "connect:pathtrace:01:output:rhf:01:input\nconnect:pathtrace:01:histogram:rhf:01:histogram\n"
      "connect:rhf:01:output:o-memory:01:input\n"
      "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
      "param:pathtrace:01:samples:{}\nparam:pathtrace:01:bins:{}\n"
      "param:rhf:01:scales:1\nparam:rhf:01:method:{}\nparam:rhf:01:layout:{}\n",
      std::filesystem::absolute(task.scene).string(), task.size.width, task.size.height, task.samples,
      task.bins, *step.variant == '\0' ? "pairs" : "search", step.layout);
}

const Node& rhfNodeNamed(const NodeGraph& graph, const char* name) {
  const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                  [&](const Node& node) { return node.name == name; });
  if (found == graph.nodes.end()) {
    throw BenchMistake(fmt::format("lacuna: the module rhf that is found has no node {}\n", name));
  }
  return *found;
}

std::string rhfStepOf(const std::string& schedule) {
  return schedule.substr(0, schedule.find_first_of("@/"));
}

}  // namespace

RhfFilter::RhfFilter(vk::Device& device, const std::vector<std::string>& modules, const RhfTask& task)
    : device_(device), modules_(modules), task_(task) {
  render();
}

NodeGraph RhfFilter::graphOf(const RhfStep& step) const {
  LoadOptions options;
  options.modulePath = modules_;
  LoadedGraph loaded = loadGraphText(rhfText(task_, step), "bench.cfg", options);
  if (!loaded.ok()) {
    throw BenchMistake(loaded.diagnostics.render());
  }
  for (Value& value : loaded.graph.values) {
    if (const auto made = rendered_.find(value.name); made != rendered_.end()) {
      value.constant = made->second;
      value.producer = {};
    }
  }
  return std::move(loaded.graph);
}

// What the scene's renderer gives the filter, once.
void RhfFilter::render() {
  const NodeGraph graph = graphOf(*rhfStepNamed("once"));
  CompileOptions layout;
  layout.device = device_.info().limits;
  Diagnostics diagnostics;
  OrderedPasses schedule = passesOf(graphBefore(graph, rhfNodeNamed(graph, searchNode)), layout, diagnostics);
  if (diagnostics.hasErrors()) {
    throw BenchMistake(diagnostics.render());
  }
  Session session(device_, std::move(schedule), modules_, ShaderCache::defaultFolder());
  session.upload(0);
  session.compute(0);
  for (auto& [name, bytes] : downloaded(session)) {
    rendered_[name] = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  }
  if (rendered_.count(imageValue) == 0 || rendered_.count(histogramValue) == 0) {
    throw BenchMistake("lacuna: the module pathtrace that is found gives no output and histogram\n");
  }
}

std::vector<std::string> RhfFilter::schedulesOf(const RhfStep& step, bool all) const {
  if (*step.variant == '\0') {
    return {""};
  }
  const NodeGraph graph = graphOf(step);
  const Node& node = rhfNodeNamed(graph, searchNode);
  std::vector<std::string> names;
  std::vector<std::string> fitting;
  for (const VariantDescription* variant : variantsOf(graph, node)) {
    if (variant->name == step.variant) {
      for (const KernelSchedule& schedule : allKernelSchedules(*variant)) {
        names.push_back(print(schedule));
        if (rejection(graph, node, schedule, device_.info().limits).empty()) {
          fitting.push_back(names.back());
        }
      }
    }
  }
  if (names.empty()) {
    throw BenchMistake(fmt::format("lacuna: the module rhf that is found has no variant {}\n", step.variant));
  }
  // One that is refused shows why.
  return all ? names : std::vector<std::string>{fitting.empty() ? names.front() : fitting.front()};
}

std::string RhfFilter::wholeName(const RhfStep& step, const std::string& schedule) const {
  const NodeGraph graph = graphOf(step);
  const auto named = kernelScheduleNamed(variantsOf(graph, rhfNodeNamed(graph, searchNode)), schedule);
  if (!named) {
    throw BenchMistake(
        fmt::format("lacuna: --schedule {}: expected {}@WxH, then /CONSTANT\n", schedule, step.name));
  }
  return print(*named);
}

std::vector<RhfGroup> RhfFilter::groups(const std::vector<std::string>& asked, bool all) const {
  std::vector<RhfGroup> found;
  for (const RhfStep& step : rhfSteps()) {
    RhfGroup group{&step};
    for (const std::string& name : asked) {
      if (rhfStepOf(name) == step.name && name != step.name) {
        group.schedules.push_back(wholeName(step, name));
      }
    }
    const bool isWhole = asked.empty() || std::count(asked.begin(), asked.end(), step.name) > 0;
    if (isWhole && group.schedules.empty()) {
      group.schedules = schedulesOf(step, all);
    }
    if (!group.schedules.empty()) {
      found.push_back(std::move(group));
    }
  }
  return found;
}

SequentialTime RhfFilter::sequential() const {
  const std::vector<std::byte>& bytes = *rendered_.at(histogramValue);
  std::vector<float> planes(bytes.size() / sizeof(float));
  std::memcpy(planes.data(), bytes.data(), planes.size() * sizeof(float));
  return sequentialRhf(planes, task_.size, {});
}

double RhfFilter::floorBytes() const {
  return 2.0 * static_cast<double>(rendered_.at(imageValue)->size()) +
         static_cast<double>(rendered_.at(histogramValue)->size());
}

Json RhfFilter::measure(const RhfStep& step, const std::string& schedule, const BenchEffort& effort) {
  Json row = {{"step", step.name}, {"ofStudy", step.isOfStudy}, {"guarantee", "exact"}};
  CompileOptions options;
  options.device = device_.info().limits;
  NodeGraph graph = graphOf(step);
  std::string refused;
  if (!schedule.empty()) {
    options.schedules[searchNode] = schedule;
    const Node& node = rhfNodeNamed(graph, searchNode);
    const auto named = kernelScheduleNamed(variantsOf(graph, node), schedule);
    row["guarantee"] = named->variant->guarantee;
    row["schedule"] = schedule;
    refused = rejection(graph, node, *named, options.device);
  }
  Diagnostics diagnostics;
  OrderedPasses passes = refused.empty() ? passesOf(std::move(graph), options, diagnostics) : OrderedPasses{};
  if (diagnostics.hasErrors()) {
    refused = diagnostics.sorted().front().message;
  }
  if (!refused.empty()) {
    row["refused"] = refused;
    return row;
  }
  try {
    BenchChain chain(device_, rhfNode, replaceUploads(std::move(passes), {}), modules_);
    if (isRight(row, expected_.errorOf(chain.compute()),
                row.at("guarantee") == "exact" && !schedule.empty() ? 0.0 : allowedRounded)) {
      lacuna::measure(chain, effort, row);
    }
  } catch (const vk::DeviceError& error) {
    row["refused"] = error.what();
  }
  return row;
}

}  // namespace lacuna
