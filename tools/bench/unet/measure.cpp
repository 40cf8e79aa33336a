#include "tools/bench/unet/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "graph/compile/compile.h"
#include "graph/config/text.h"
#include "graph/median.h"
#include "graph/run/tune/tuning.h"
#include "graph/shader/compile.h"
#include "tools/bench/report.h"
#include "tools/timing/preheat.h"
#include "tools/timing/schedule_bytes.h"

namespace lacuna {
namespace {

constexpr const char* unetInstance = "cnn-unet:01";
constexpr const char* resultValue = "cnn-unet:01:layers.output";
constexpr double mostUnetError = 6e-3;  // twice what each may be off by itself

// Where images.h has a plane; for albedo colours do, which are within 0 and 1.
std::string sourceOf(unet::Plane plane) {
  return plane == unet::Plane::normal || plane == unet::Plane::depth ? unet::nameOf(plane) : "colour";
}

std::string connectorOf(unet::Plane plane) {
  return plane == unet::Plane::colour ? "input" : unet::nameOf(plane);
}

// "layer12", "layer12-pooled" -> 12.
int layerOfPass(const std::string& name) {
  constexpr std::string_view word = "layer";
  int layer = -1;
  if (name.starts_with(word))
    std::from_chars(name.data() + word.size(), name.data() + name.size(), layer);
  return layer;
}

void timesPasses(Session& session, const BenchEffort& effort, Json& row) {
  preheat([&] { return session.time(0, false).totalMs; }, effort.preheatMs);
  const auto& passes = session.schedule().passes;
  Table<PassId, std::vector<double>> samples(passes.size());
  std::vector<double> totals;
  BenchRuns runs(effort);
  while (runs.next()) {
    totals.push_back(session.time(0, false).totalMs);
    const vk::Timings timings = session.time(0, true);
    for (const PassId p : passes.ids())
      samples[p].push_back(timings.passMs[p]);
  }
  for (const PassId p : passes.ids()) {
    if (isTransfer(passes[p]))
      continue;
    const std::string name = passes[p].name.substr(passes[p].name.find_last_of(":/") + 1);
    Json& pass = row["passes"].emplace_back(
        Json{{"name", name},
             {"ms", median(std::move(samples[p]))},
             {"bytes", static_cast<double>(passes[p].bytesRead + passes[p].bytesWritten)}});
    if (const int layer = layerOfPass(name); layer >= 0)
      pass["layer"] = layer;
  }
  row["leastMs"] = *std::min_element(totals.begin(), totals.end());
  row["mostMs"] = *std::max_element(totals.begin(), totals.end());
  row["ms"] = median(std::move(totals));
  row["runs"] = runs.count();
}

}  // namespace

std::vector<UnetCandidate> unetCandidates(const ModuleDescription& module) {
  std::vector<UnetCandidate> all;
  for (const ParameterDescription& parameter : module.parameters)
    if (parameter.type == ParameterType::choice && parameter.structural)
      for (const std::string& choice : parameter.choices) {
        if (!all.empty() && ParameterValue(choice) == parameter.defaults.front())
          continue;
        const bool isTaken =
            std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == choice; });
        all.push_back({isTaken ? parameter.name + "=" + choice : choice, parameter.name});
      }
  for (const VariantDescription& variant : module.variants)
    all.push_back({variant.name});
  if (all.empty())
    all.push_back({"default"});
  return all;
}

UnetBench::UnetBench(vk::Device& device, std::vector<std::string> modules, std::string weights,
                     const unet::Network& network, Extent size)
    : device_(device),
      modules_(std::move(modules)),
      weights_(std::move(weights)),
      network_(network),
      images_(size) {}

double UnetBench::pictureBytes() const {
  const auto bytes = [&](const std::string& source) {
    return static_cast<double>(images_.pixels().at("i-memory:" + source + ":image.output")->size());
  };
  double sum = bytes("colour");  // that goes out
  for (const unet::Plane plane : network_.input)
    sum += bytes(sourceOf(plane));
  return sum;
}

std::string UnetBench::graphText(const UnetCandidate& candidate) const {
  std::string text = fmt::format(
      "lacuna:1\nmodule:cnn-unet:01\nmodule:o-memory:out\nparam:cnn-unet:01:weights:{}\n"
      "connect:cnn-unet:01:output:o-memory:out:input\n"
      "module:i-memory:colour\nmodule:i-memory:normal\nmodule:i-memory:depth\n",
      quote(std::filesystem::absolute(weights_).string()));
  for (const unet::Plane plane : network_.input)
    text += fmt::format("connect:i-memory:{}:output:cnn-unet:01:{}\n", sourceOf(plane), connectorOf(plane));
  if (!candidate.parameter.empty())
    text += fmt::format("param:cnn-unet:01:{}:{}\n", candidate.parameter,
                        candidate.name.substr(candidate.name.find('=') + 1));
  return text;
}

void UnetBench::bring(Session& session) const {
  for (const auto& [name, bytes] : images_.pixels()) {
    const auto memory = session.uploadMemory(name);
    std::copy_n(bytes->begin(), std::min(memory.size(), bytes->size()), memory.begin());
  }
}

Json UnetBench::measure(const UnetCandidate& candidate, const BenchEffort& effort) {
  Json row = {{"candidate", candidate.name}};
  LoadOptions options;
  options.modulePath = modules_;
  options.memory = BenchImages::types(images_.extent());
  LoadedGraph loaded = loadGraphText(graphText(candidate), "bench.cfg", options);
  if (!loaded.ok())
    throw BenchMistake(loaded.diagnostics.render());
  CompileOptions layout;
  layout.device = device_.info().limits;
  layout.know = [cache = TuningCache(ShaderCache::defaultFolder(), device_.info(), modules_)](
                    const NodeGraph& filters) { return cache.know(filters); };
  if (candidate.parameter.empty() && candidate.name != "default")
    layout.schedules[unetInstance] = candidate.name;
  OrderedPasses schedule = passesOf(std::move(loaded.graph), layout, loaded.diagnostics);
  if (!loaded.ok()) {
    row["refused"] = loaded.diagnostics.sorted().front().message;
    return row;
  }
  try {
    Session session(device_, std::move(schedule), modules_, ShaderCache::defaultFolder());
    bring(session);
    session.compute(0);
    const double error = expected_.errorOf(session.downloadMemory(resultValue));
    if (isRight(row, error, mostUnetError)) {
      row["error"] = error;
      timesPasses(session, effort, row);
    }
  } catch (const vk::DeviceError& error) {
    row["refused"] = error.what();
  }
  return row;
}

}  // namespace lacuna
