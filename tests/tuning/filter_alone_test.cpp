// A filter alone computes the same as within its graph.

#include "graph/run/tune/tune.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "graph/nodes/rewrites.h"
#include "graph/shader/compile.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

std::vector<std::byte> bytesOf(std::span<const std::byte> memory) {
  return {memory.begin(), memory.end()};
}

void fill(Session& session, const MemoryGraph& graph) {
  for (const auto& [name, image] : graph.sources) {
    const auto memory = session.uploadMemory("i-memory:" + name + ":image.output");
    const auto bytes = std::as_bytes(std::span(image.words));
    std::copy_n(bytes.begin(), std::min(memory.size(), bytes.size()), memory.begin());
  }
}

// `name`: of a schedule; "" for the automatic ones.
Session sessionOf(NodeGraph graph, const MemoryGraph& around, const std::string& name) {
  CompileOptions layout;
  layout.device = testDevice().info().limits;
  if (!name.empty())
    layout.schedules[""] = name;
  layout.fuses = false;  // it is
  Diagnostics diagnostics;
  FrameGraph schedule = compile(std::move(graph), layout, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return {testDevice(), std::move(schedule), around.modulePath, ShaderCache::defaultFolder()};
}

// A node alone computes the same as in its graph; `filters`: nodes that have schedules and end in the
// sink.
void expectTheSameAlone(const MemoryGraph& around, const std::string& schedule, int filters) {
  const LoadedGraph loaded = load(around);
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  const NodeGraph graph = fuse(cull(loaded.graph), testDevice().info().limits);
  Session whole = sessionOf(graph, around, schedule);
  fill(whole, around);
  whole.compute(0);
  for (const Node& node : graph.nodes) {
    const std::string output = node.outputs.empty() ? "" : graph.values[node.outputs.front().value].name;
    const auto expected = bytesOf(whole.downloadMemory(output));
    if (!hasSchedules(graph, node) || expected.empty())
      continue;  // values that do not go into the sink
    Session before = sessionOf(graphBefore(graph, node), around, "");
    fill(before, around);
    before.compute(0);
    const ValueBytes values = downloaded(before);
    EXPECT_GT(values.size(), 1U);  // the image, and the values computed for it
    Session alone = sessionOf(filterBetweenMemory(graph, node), around, schedule);
    upload(alone, values);
    alone.compute(0);
    EXPECT_EQ(bytesOf(alone.downloadMemory(output)), expected);
    --filters;
  }
  EXPECT_EQ(filters, 0);
}

MemoryGraph graphAround(const std::string& module, Format format, const std::string& more) {
  std::mt19937_64& random = testRandom();
  MemoryGraph around;
  around.text = fmt::format("i-memory:in {0} o-memory:out\n{1}", module, more);
  around.sources["in"] = randomImage(random, Channels::rgba, format, {61, 47}, false);
  return around;
}

// The noise that the chain is bound to is among what it reads.
TEST(FilterAlone, RandomAChainComputesTheSame) {
  expectTheSameAlone(graphAround("eaw", Format::f16, "param:eaw:01:levels:2\n"), "rows2/buffer", 1);
}

// Its table of weights is an input, on buffers and on images.
TEST(FilterAlone, RandomAKernelComputesTheSame) {
  const std::string twice = "param:bilateral-study:01:iterations:2\nparam:bilateral-study:01:radius:2\n";
  for (const char* schedule : {"tiles@8x8/n2", "rows@16x16/n3/image"}) {
    SCOPED_TRACE(schedule);
    expectTheSameAlone(graphAround("bilateral-study", Format::u8, twice), schedule, 1);
  }
}

// Its history is as long as in a sequence.
TEST(FilterAlone, RandomAFilterOverTimeIsMeasuredWithAHistory) {
  std::mt19937_64& random = testRandom();
  MemoryGraph around = graphAround("svgf", Format::f16, "i-memory:motion motion=svgf\n");
  around.sources["motion"] = randomImage(random, Channels::mv, Format::f16, {61, 47}, false);
  const LoadedGraph loaded = load(around);
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  const NodeGraph graph = fuse(cull(loaded.graph), testDevice().info().limits);
  const auto valuesAfter = [&](const Node& node, const std::function<void(Session&)>& compute) {
    Session before = sessionOf(graphBefore(graph, node), around, "");
    fill(before, around);
    compute(before);
    return downloaded(before);
  };
  int filters = 0;
  for (const Node& node : graph.nodes) {
    if (!hasSchedules(graph, node) || std::ranges::none_of(node.inputs, [&](const NamedValue& input) {
          return input.value && graph.values[input.value].feedback;
        }))
      continue;
    const ValueBytes settled = valuesAfter(node, [](Session& session) { computeSettled(session, 0); });
    EXPECT_NE(settled, valuesAfter(node, [](Session& session) { session.compute(0); })) << node.name;
    EXPECT_EQ(settled, valuesAfter(node,
                                   [](Session& session) {
                                     for (int run = 0; run < 8; ++run)
                                       session.compute(0);
                                   }))
        << node.name;
    ++filters;
  }
  EXPECT_GT(filters, 0);
}

}  // namespace
}  // namespace lacuna::test
