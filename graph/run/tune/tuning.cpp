#include "graph/run/tune/tuning.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <span>

#include "graph/config/json_text.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/maker.h"
#include "graph/shader/generate/filter_text.h"
#include "graph/shader/generate/glsl_source.h"

namespace lacuna {
namespace {

// Changes with the file format, and with the cost of generated shaders at equal texts.
constexpr const char* tuningVersion = "tuning 2";
constexpr const char* tuningFolder = "tuning";
const std::string bandwidthKey = "bandwidth 1\n";

uint64_t pixelsOf(const NodeGraph& graph, const Node& node) {
  const Extent extent =
      node.kind == NodeKind::stencil ? stateInputType(graph, node).extent : kernelExtent(graph, node);
  return uint64_t{extent.width} * extent.height;
}

// The filter's types that the text does not show: outputs, and their origin. They are those of the filter
// alone, without nodes that joined it.
std::string typesOf(const NodeGraph& graph, const Node& node) {
  const NodePart& own = ownPart(node);
  std::string text;
  const auto add = [&](const std::string& name, const ValueType& type) {
    text += fmt::format("{} {} {}\n", name, static_cast<int>(type.channels), static_cast<int>(type.format));
  };
  for (const PartInput& input : own.inputs)
    if (const auto type = typeOf(graph, node, input))
      add(input.name, *type);
  for (size_t i = 0; i < own.outputs.size(); ++i)
    add(own.outputs[i].name, own.outputTypes[i]);
  return text;
}

// Whether the second one repeats the first one (KernelDescription::repeat), on values of the same types.
bool repeats(const NodeGraph& graph, const Node& first, const Node& second) {
  const auto typesOf = [&](const Node& node) {
    std::vector<std::optional<ValueType>> types;
    for (const auto* ends : {&node.inputs, &node.outputs})
      for (const NamedValue& end : *ends)
        types.push_back(end.value ? std::optional(graph.values[end.value].type) : std::nullopt);
    return types;
  };
  return first.module == second.module && first.description == second.description &&
         typesOf(first) == typesOf(second);
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
}

}  // namespace

TuningCache::TuningCache(std::string folder, const vk::DeviceInfo& device,
                         std::vector<std::string> includePath)
    : folder_(std::move(folder)),
      device_(fmt::format("{}\n{}\n{}\n", device.name, device.uuid, device.driver)),
      includePath_(std::move(includePath)) {}

CacheFile TuningCache::fileOf(const NodeGraph& graph, const Node& node, const std::string& text) const {
  const auto sizeClass = std::lround(std::log2(static_cast<double>(pixelsOf(graph, node))));
  const std::string chain = node.kind == NodeKind::stencil
                                ? fmt::format("{} levels, radius {}, ", node.levels, node.radius)
                                : std::string();
  return {folder_, tuningFolder,
          fmt::format("{}\n{}{}2^{} pixels\n{}{}", tuningVersion, device_, chain, sizeClass,
                      typesOf(graph, node), text)};
}

std::optional<Tuned> TuningCache::readAs(const NodeGraph& graph, const Node& node,
                                         const std::string& text) const {
  const auto content = fileOf(graph, node, text).read();
  auto tuned = content ? parseTuned(*content) : std::nullopt;
  if (tuned) {
    const double scale = static_cast<double>(pixelsOf(graph, node)) / static_cast<double>(tuned->pixels);
    for (TimedSchedule& each : tuned->measured)
      each.ms *= scale;
  }
  return tuned;
}

std::optional<Tuned> TuningCache::read(const NodeGraph& graph, const Node& node) const {
  return readAs(graph, node, filterText(graph, node, includePath_));
}

void TuningCache::add(const NodeGraph& graph, const Node& node,
                      const std::vector<TimedSchedule>& measured) const {
  const std::string text = filterText(graph, node, includePath_);
  nlohmann::json ms = nlohmann::json::object();
  if (const auto before = readAs(graph, node, text))
    for (const TimedSchedule& known : before->measured)
      ms[known.name] = known.ms;
  for (const TimedSchedule& now : measured)
    ms[now.name] = now.ms;
  const std::string content =
      jsonText(nlohmann::json{{"date", today()}, {"pixels", pixelsOf(graph, node)}, {"ms", ms}});
  fileOf(graph, node, text).write(std::as_bytes(std::span(content)));
}

bool TuningCache::forget(const NodeGraph& graph, const Node& node) const {
  return fileOf(graph, node, filterText(graph, node, includePath_)).remove();
}

double TuningCache::bandwidth() const {
  double bytesPerSecond = 0.0;
  const auto content = CacheFile(folder_, tuningFolder, bandwidthKey + device_).read();
  if (content && content->size() == sizeof bytesPerSecond)
    std::memcpy(&bytesPerSecond, content->data(), sizeof bytesPerSecond);
  return bytesPerSecond;
}

void TuningCache::setBandwidth(double bytesPerSecond) const {
  CacheFile(folder_, tuningFolder, bandwidthKey + device_)
      .write(std::as_bytes(std::span(&bytesPerSecond, 1)));
}

FilterKnowledge TuningCache::knowFilter(const NodeGraph& graph, const Node& node) const {
  FilterKnowledge known;
  try {
    const std::string text = filterText(graph, node, includePath_);
    if (node.kind == NodeKind::stencil)
      known.work = countWork(text);
    if (const auto tuned = readAs(graph, node, text)) {
      known.measured = tuned->measured;
      known.date = tuned->date;
    }
  } catch (const ShaderSourceError&) {
    // Mistakes in bodies are reported where their shaders are made.
  }
  return known;
}

Knowledge TuningCache::know(const NodeGraph& filters) const {
  Knowledge known;
  const Node* last = nullptr;
  for (const Node& node : filters.nodes) {
    if (hasSchedules(filters, node)) {
      known[node.name] =
          last != nullptr && repeats(filters, *last, node) ? known[last->name] : knowFilter(filters, node);
      last = &node;
    }
  }
  return known;
}

Knowledge workOf(const NodeGraph& filters, std::vector<std::string> includePath) {
  return TuningCache({}, {}, std::move(includePath)).know(filters);
}

size_t forgetTuning(const std::string& folder) {
  return emptyCache(folder, tuningFolder);
}

}  // namespace lacuna
