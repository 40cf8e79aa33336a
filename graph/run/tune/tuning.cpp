#include "graph/run/tune/tuning.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <span>

#include "graph/config/text.h"
#include "graph/files/own_place.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/maker.h"
#include "graph/shader/generate/filter_text.h"
#include "graph/shader/generate/glsl_source.h"

namespace lacuna {
namespace {

// Changes with the file format, and with the cost of generated shaders at equal texts.
constexpr const char* tuningVersion = "tuning 3";
constexpr const char* tuningFolder = "tuning";

uint64_t pixelsOf(const NodeGraph& graph, const Node& node) {
  const Extent extent =
      node.kind == NodeKind::stencil ? stateInputType(graph, node).extent : kernelExtent(graph, node);
  return uint64_t{extent.width} * extent.height;
}

uint64_t classOf(uint64_t count) {
  return static_cast<uint64_t>(std::lround(std::log2(static_cast<double>(std::max<uint64_t>(count, 1)))));
}

// What the text does not show: the class of sizes, the number of levels, the types of outputs, and inputs'
// origin. The types are those of the filter alone, without nodes that joined it.
std::string workText(const NodeGraph& graph, const Node& node) {
  const NodePart& own = ownPart(node);
  std::string text = fmt::format("2^{} pixels", classOf(pixelsOf(graph, node)));
  if (node.kind == NodeKind::stencil)
    text += fmt::format(", {} levels, radius {}", node.levels, node.radius);
  const auto add = [&](const std::string& end, const ValueType& type) {
    text += fmt::format(", {} {} {}", end, name(type.channels), name(type.format));
    if (type.isArray())
      text += type.isPlanes() ? fmt::format(" x{}", planeCount(type))
                              : fmt::format(" x2^{}", classOf(type.arrayCount));
  };
  for (const PartInput& input : own.inputs)
    if (const auto type = typeOf(graph, node, input))
      add(input.name, *type);
  for (size_t i = 0; i < own.outputs.size(); ++i)
    add(own.outputs[i].name, own.outputTypes[i]);
  return text;
}

// A filter as its measurements are kept.
struct Key {
  std::string filter, work, shader;
  uint64_t pixels = 0;

  bool isOf(const Tuned& tuned) const {
    return tuned.filter == filter && tuned.work == work && tuned.shader == shader;
  }
  Tuned asTuned() const {
    Tuned tuned;
    tuned.filter = filter;
    tuned.work = work;
    tuned.shader = shader;
    return tuned;
  }
  // Of any version of its shaders.
  bool isLike(const Tuned& tuned) const { return tuned.filter == filter && tuned.work == work; }
};

Key keyOf(const NodeGraph& graph, const Node& node, const std::string& text) {
  return {fmt::format("{}:{}", instanceOf(graph, node).description->name, node.description->name),
          workText(graph, node), hashName(text), pixelsOf(graph, node)};
}

Tuned scaled(Tuned tuned, uint64_t pixels) {
  for (TimedSchedule& each : tuned.measured)
    each.ms *= static_cast<double>(pixels) / static_cast<double>(tuned.pixels);
  tuned.pixels = pixels;
  return tuned;
}

std::optional<TunedDevice> parsed(std::string_view text) {
  try {
    return parseTuned(text);
  } catch (const TunedMistake&) {
    return std::nullopt;
  }
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
      device_(device.name),
      uuid_(device.uuid),
      driver_(device.driver),
      includePath_(std::move(includePath)) {}

CacheFile TuningCache::file() const {
  return {folder_, tuningFolder, fmt::format("{}\n{}\n{}\n{}\n", tuningVersion, device_, uuid_, driver_)};
}

TunedDevice TuningCache::kept() const {
  const auto content = file().read();
  const auto tuned =
      content ? parsed({reinterpret_cast<const char*>(content->data()), content->size()}) : std::nullopt;
  return tuned.value_or(TunedDevice{"", device_, driver_, 0.0, {}});
}

void TuningCache::keep(const TunedDevice& tuned) const {
  const std::string content = print(tuned);
  file().write(std::as_bytes(std::span(content)));
}

std::optional<Tuned> TuningCache::read(const NodeGraph& graph, const Node& node) const {
  const Key key = keyOf(graph, node, filterText(graph, node, includePath_));
  for (const Tuned& tuned : kept().filters)
    if (key.isOf(tuned))
      return scaled(tuned, key.pixels);
  return std::nullopt;
}

void TuningCache::add(const NodeGraph& graph, const Node& node,
                      const std::vector<TimedSchedule>& measured) const {
  const Key key = keyOf(graph, node, filterText(graph, node, includePath_));
  TunedDevice all = kept();
  auto at = std::ranges::find_if(all.filters, [&](const Tuned& tuned) { return key.isOf(tuned); });
  std::map<std::string, double> ms;
  if (at == all.filters.end())
    at = all.filters.insert(at, key.asTuned());
  else if (!at->imported)
    for (const TimedSchedule& known : scaled(*at, key.pixels).measured)
      ms[known.name] = known.ms;
  for (const TimedSchedule& now : measured)
    ms[now.name] = now.ms;
  at->date = today();
  at->imported = false;
  at->pixels = key.pixels;
  at->measured.clear();
  for (const auto& [name, each] : ms)
    at->measured.push_back({name, each});
  std::ranges::stable_sort(at->measured, {}, &TimedSchedule::ms);
  keep(all);
}

bool TuningCache::forget(const NodeGraph& graph, const Node& node) const {
  const Key key = keyOf(graph, node, filterText(graph, node, includePath_));
  TunedDevice all = kept();
  if (std::erase_if(all.filters, [&](const Tuned& tuned) { return key.isOf(tuned); }) == 0)
    return false;
  keep(all);
  return true;
}

TunedDevice TuningCache::measured() const {
  TunedDevice all = kept();
  std::erase_if(all.filters, [](const Tuned& tuned) { return tuned.imported; });
  return all;
}

size_t TuningCache::import(const TunedDevice& from) const {
  TunedDevice all = kept();
  size_t count = 0;
  for (const Tuned& tuned : from.filters) {
    const Key key{tuned.filter, tuned.work, tuned.shader, tuned.pixels};
    const auto known = std::ranges::find_if(all.filters, [&](const Tuned& one) { return key.isOf(one); });
    if (known != all.filters.end() && !known->imported)
      continue;
    Tuned& kept = known == all.filters.end() ? all.filters.emplace_back() : *known;
    kept = tuned;
    kept.imported = true;
    ++count;
  }
  if (all.bandwidth <= 0.0)
    all.bandwidth = from.bandwidth;
  keep(all);
  return count;
}

double TuningCache::bandwidth() const {
  return kept().bandwidth;
}

void TuningCache::setBandwidth(double bytesPerSecond) const {
  TunedDevice all = kept();
  all.bandwidth = bytesPerSecond;
  keep(all);
}

Knowledge TuningCache::know(const NodeGraph& filters) const {
  const TunedDevice here = kept();
  const TunedDevice come = parsed(readTextFile(knownDeviceFile(device_)).text).value_or(TunedDevice());
  const auto knowFilter = [&](const Node& node) {
    FilterKnowledge known;
    try {
      const std::string text = filterText(filters, node, includePath_);
      if (node.kind == NodeKind::stencil)
        known.work = countWork(text);
      const Key key = keyOf(filters, node, text);
      const auto take = [&](const Tuned& tuned, bool isElsewhere) {
        known.measured = scaled(tuned, key.pixels).measured;
        known.date = tuned.date + (isElsewhere ? " on another machine" : "");
      };
      for (const Tuned& tuned : come.filters)
        if (key.isLike(tuned))
          take(tuned, true);
      for (const Tuned& tuned : here.filters)
        if (key.isOf(tuned))
          take(tuned, tuned.imported);
    } catch (const ShaderSourceError&) {
      // Mistakes in bodies are reported where their shaders are made.
    }
    return known;
  };
  Knowledge known;
  const Node* last = nullptr;
  for (const Node& node : filters.nodes) {
    if (hasSchedules(filters, node)) {
      known[node.name] =
          last != nullptr && repeats(filters, *last, node) ? known[last->name] : knowFilter(node);
      last = &node;
    }
  }
  return known;
}

Knowledge workOf(const NodeGraph& filters, std::vector<std::string> includePath) {
  return TuningCache({}, {}, std::move(includePath)).know(filters);
}

std::string knownDeviceFile(const std::string& deviceName) {
  std::string file = lowerCase(deviceKind(deviceName));
  std::ranges::replace_if(
      file,
      [](char c) {
        return !isName({&c, 1});
      },
      '-');
  return file.empty() ? std::string() : sharedFolder("graph/run/tune/devices") + "/" + file + ".json";
}

size_t forgetTuning(const std::string& folder) {
  return emptyCache(folder, tuningFolder);
}

}  // namespace lacuna
