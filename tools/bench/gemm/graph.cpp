#include "tools/bench/gemm/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "graph/compile/compile.h"
#include "graph/run/session.h"
#include "graph/run/tune/filter_alone.h"
#include "graph/shader/compile.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

std::string factorText(const char* name, uint32_t rows, uint32_t columns, int seed) {
  return fmt::format(
      "module:random-array:{0}\nparam:random-array:{0}:rows:{1}\nparam:random-array:{0}:columns:{2}\n"
      "param:random-array:{0}:format:f16\nparam:random-array:{0}:seed:{3}\n",
      name, rows, columns, seed);
}

std::string factorA(const GemmShape& shape) {
  return factorText("a", shape.n, shape.p, 1);
}
std::string factorB(const GemmShape& shape) {
  return factorText("b", shape.p, shape.m, 2);
}

// With a sink in memory in the place of the file's.
NodeGraph graphInto(const std::string& modulesText, const std::string& output,
                    const std::vector<std::string>& modules) {
  LoadOptions options;
  options.modulePath = modules;
  const LoadedGraph loaded =
      loadGraphText(fmt::format("lacuna:1\n{}module:o-npy:01\nparam:o-npy:01:filename:\"-\"\n"
                                "connect:{}:output:o-npy:01:array\n",
                                modulesText, output),
                    "bench.cfg", options);
  if (!loaded.ok()) {
    throw BenchMistake(loaded.diagnostics.render());
  }
  const auto sink = std::find_if(loaded.graph.nodes.begin(), loaded.graph.nodes.end(),
                                 [](const Node& node) { return node.kind == NodeKind::sink; });
  return graphBefore(loaded.graph, *sink);
}

void makeFactor(vk::Device& device, const std::vector<std::string>& modules, const std::string& text,
                const std::string& output, const std::function<void(std::span<const std::byte>)>& take) {
  CompileOptions layout;
  layout.device = device.info().limits;
  Diagnostics diagnostics;
  OrderedPasses schedule = passesOf(graphInto(text, output, modules), layout, diagnostics);
  if (diagnostics.hasErrors()) {
    throw BenchMistake(diagnostics.render());
  }
  Session session(device, std::move(schedule), modules, ShaderCache::defaultFolder());
  session.compute(0);
  take(session.downloadMemory(session.schedule().graph.nodes.back().inputs.front().name));
}

}  // namespace

NodeGraph gemmGraph(const GemmTask& task, const std::vector<std::string>& modules) {
  return graphInto(factorA(task.shape) + factorB(task.shape) +
                       fmt::format("module:coopmat-gemm:01\nparam:coopmat-gemm:01:accumulate:{}\n"
                                   "param:coopmat-gemm:01:pack:{}\n"
                                   "connect:random-array:a:output:coopmat-gemm:01:a\n"
                                   "connect:random-array:b:output:coopmat-gemm:01:b\n",
                                   task.halfSums ? "f16" : "f32", task.pack),
                   "coopmat-gemm:01", modules);
}

OrderedPasses withEmptyOutput(OrderedPasses schedule, const std::string& productNode) {
  auto& passes = schedule.passes;
  const auto product =
      std::find_if(passes.begin(), passes.end(), [&](const Pass& pass) { return pass.name == productNode; });
  const auto download = std::find_if(passes.begin(), passes.end(),
                                     [](const Pass& pass) { return pass.kind == PassKind::download; });
  if (product == passes.end() || download == passes.end()) {
    throw BenchMistake(
        fmt::format("lacuna: the module coopmat-gemm that is found has no pass {}\n", productNode));
  }
  Pass fill;
  fill.name = "empty output";
  fill.kind = PassKind::fill;
  fill.accesses = {{download->accesses.front().resource, AccessKind::write, AccessPoint::transfer}};
  passes.insert(product, std::move(fill));
  return schedule;
}

GemmSamples gemmSamples(vk::Device& device, const std::vector<std::string>& modules, const GemmShape& shape) {
  GemmSamples samples(shape);
  makeFactor(device, modules, factorA(shape), "random-array:a",
             [&](std::span<const std::byte> halves) { samples.setA(halves); });
  makeFactor(device, modules, factorB(shape), "random-array:b",
             [&](std::span<const std::byte> halves) { samples.setB(halves); });
  return samples;
}

}  // namespace lacuna
