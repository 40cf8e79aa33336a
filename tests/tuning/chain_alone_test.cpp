// A chain alone computes what it does within its graph.

#include "graph/run/chain_alone.h"

#include <gtest/gtest.h>

#include "graph/compile/cull.h"
#include "graph/compile/fuse.h"
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

Session sessionOf(NodeGraph graph, const MemoryGraph& around) {
  LayoutOptions layout;
  layout.device = modelOf(testDevice().info());
  layout.schedules[""] = "rows2/buffer";
  layout.fuses = false;  // it is
  Diagnostics diagnostics;
  Schedule schedule = compile(std::move(graph), layout, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return {testDevice(), std::move(schedule), around.modulePath, ShaderCache::defaultFolder()};
}

// The graph's chains, the noise that one of them is bound to among what they read.
TEST(ChainAlone, ComputesTheSame) {
  std::mt19937_64 random(testSeed());
  MemoryGraph around;
  around.text =
      "lacuna:1\nmodule:i-memory:in\nmodule:eaw:01\nmodule:o-memory:out\n"
      "connect:i-memory:in:output:eaw:01:input\nconnect:eaw:01:output:o-memory:out:input\n"
      "param:eaw:01:levels:2\n";
  around.sources["in"] = randomImage(random, Channels::rgba, Format::f16, {61, 47}, false);
  const LoadedGraph loaded = load(around);
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  const NodeGraph graph = fuse(cull(loaded.graph), vk::modelOf(testDevice().info()));
  Session whole = sessionOf(graph, around);
  fill(whole, around);
  whole.compute(0);
  int chains = 0;
  for (const Node& node : graph.nodes) {
    const std::string output =
        node.outputs.empty() ? "" : graph.values[static_cast<size_t>(node.outputs.front().value)].name;
    const auto expected = bytesOf(whole.downloadMemory(output));
    if (node.kind != NodeKind::stencil || expected.empty()) {
      continue;  // what does not go into the sink
    }
    Session before = sessionOf(graphBefore(graph, node), around);
    fill(before, around);
    before.compute(0);
    const ValueBytes values = downloaded(before);
    EXPECT_GT(values.size(), 1U);  // the image, and what is known of its noise
    Session alone = sessionOf(chainBetweenMemory(graph, node), around);
    upload(alone, values);
    alone.compute(0);
    EXPECT_EQ(bytesOf(alone.downloadMemory(output)), expected);
    ++chains;
  }
  EXPECT_EQ(chains, 1);
}

}  // namespace
}  // namespace lacuna::test
