// Measurements of kernels, on disk.

#include "graph/run/tune/tuning.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/shader/generate/filter_text.h"
#include "tests/io/support.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent kernelExtent160{160, 100};

NodeGraph bilateral(const std::string& more = {}, Extent extent = kernelExtent160, Format format = Format::u8,
                    const std::vector<std::string>& modulePath = {LACUNA_MODULE_FOLDER, benchModules()}) {
  return cull(graphOf("i-memory:in bilateral-study o-memory:out\n" + more, extent, format, modulePath));
}

const Node& filterOf(const NodeGraph& graph) {
  for (const Node& node : graph.nodes)
    if (!variantsOf(graph, node).empty())
      return node;
  ADD_FAILURE() << "no kernel with variants";
  return graph.nodes.front();
}

class KernelTuning : public testing::Test {
 protected:
  TuningCache cache(const std::string& driver = "driver 1") const {
    vk::DeviceInfo info;
    info.name = "gpu";
    info.driver = driver;
    return {folder_.file("cache"), info, {LACUNA_MODULE_FOLDER}};
  }
  static bool knows(const TuningCache& cache, const NodeGraph& graph) {
    return cache.read(graph, filterOf(graph)).has_value();
  }
  const Folder folder_;
};

TEST_F(KernelTuning, AutoTakesTheFastestMeasured) {
  const NodeGraph graph = bilateral();
  const Node& node = filterOf(graph);
  const auto chosen = [&] {
    Diagnostics diagnostics;
    const FilterChoice choice =
        selectSchedule({graph, node, wideDevice()}, {}, cache().know(graph).at(node.name), diagnostics)
            .choice;
    EXPECT_EQ(diagnostics.render(), "");
    return choice;
  };
  EXPECT_EQ(chosen().schedule, "rows@32x4/n4/image");
  cache().add(graph, node, {{"rows@8x8/n2/buffer", 1.5}, {"unrolled@8x8/n6/buffer", 1.25}});
  EXPECT_EQ(chosen().schedule, "unrolled@8x8/n6/buffer");
  EXPECT_EQ(chosen().candidates.front().ms, 1.25);
  // A second measurement replaces the first, and leaves the others.
  cache().add(graph, node, {{"unrolled@8x8/n6/buffer", 2.0}, {"half@32x4/n4/image", 0.5}});
  EXPECT_EQ(chosen().schedule, "rows@8x8/n2/buffer");
  EXPECT_TRUE(cache().forget(graph, node));
  EXPECT_EQ(chosen().schedule, "rows@32x4/n4/image");
}

TEST_F(KernelTuning, IsOfDriverStructureTypesAndSize) {
  const NodeGraph graph = bilateral();
  cache().add(graph, filterOf(graph), {{"naive@16x16/buffer", 1.0}});
  EXPECT_TRUE(knows(cache(), graph));
  EXPECT_FALSE(knows(cache("driver 2"), graph));
  EXPECT_FALSE(knows(cache(), bilateral("param:bilateral-study:01:radius:6\n")));
  EXPECT_FALSE(knows(cache(), bilateral("param:bilateral-study:01:distance:rgb\n")));
  EXPECT_FALSE(knows(cache(), bilateral("param:bilateral-study:01:border:clamp\n")));
  EXPECT_FALSE(knows(cache(), bilateral("i-memory:in guide=bilateral-study\n")));
  EXPECT_FALSE(knows(cache(), bilateral({}, kernelExtent160, Format::f16)));
  EXPECT_FALSE(knows(cache(), bilateral({}, {320, 200})));
  // Parameters that don't change the time.
  EXPECT_TRUE(knows(cache(), bilateral("param:bilateral-study:01:sigma_range:2\n")));
  EXPECT_TRUE(knows(cache(), bilateral("param:bilateral-study:01:iterations:3\n")));
  const NodeGraph larger = bilateral({}, {160, 110});
  const auto tuned = cache().read(larger, filterOf(larger));
  ASSERT_TRUE(tuned);
  EXPECT_DOUBLE_EQ(tuned->measured.front().ms, 1.1);
}

// Every shader of the variants counts, and what it includes; those of other nodes don't.
TEST_F(KernelTuning, TextsHoldTheShadersOfAllVariants) {
  fs::copy(LACUNA_MODULE_FOLDER, folder_.file("modules"), fs::copy_options::recursive);
  fs::copy(benchModules(), folder_.file("modules"), fs::copy_options::recursive);
  const std::vector<std::string> path = {folder_.file("modules")};
  const auto text = [&] {
    const NodeGraph graph = bilateral({}, kernelExtent160, Format::u8, path);
    return filterText(graph, filterOf(graph), path);
  };
  const std::string before = text();
  int changed = 0;
  for (const auto& entry : fs::directory_iterator(folder_.file("modules/bilateral-study"))) {
    if (entry.path().extension() != ".glsl")
      continue;
    const std::string file = entry.path().string();
    const std::string stem = entry.path().stem().string();
    const std::string whole = slurp(file);
    spill(file, whole + "\nconst float ANOTHER_" + stem + " = 1.0;\n");
    const bool isOther = stem == "weights" || stem == "ranges" || stem == "to_lab" || stem == "from_lab";
    EXPECT_EQ(text() == before, isOther) << stem;
    changed += isOther ? 0 : 1;
    spill(file, whole);
  }
  EXPECT_GE(changed, 10);
  EXPECT_EQ(text(), before);
}

}  // namespace
}  // namespace lacuna::test
