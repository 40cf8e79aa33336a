// The layout stage's result for a chain under each family: passes, roles, layouts, storage.

#include "graph/shader/generate/roles.h"
#include "tests/support/check_barriers.h"
#include "tests/support/places.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent layoutExtent{60, 44};

std::string levelRoles(const FrameGraph& schedule, int level) {
  const Pass* pass = passNamed(schedule, ".level" + std::to_string(level));
  return pass == nullptr ? "no such level" : rolesOf(*pass);
}

std::vector<int> permutations(const FrameGraph& schedule, const std::string& part) {
  std::vector<int> levels;
  for (const Resource& resource : schedule.resources)
    if (resource.name.find(part) != std::string::npos)
      levels.push_back(resource.permutation);
  return levels;
}

TEST(Layout, EawWithSynthesisAsAPass) {
  const NodeGraph graph = graphOf(eawText(3), layoutExtent);
  for (const char* name : {"baseline/image/pass", "rows4/buffer/pass", "lattice/image/pass"}) {
    SCOPED_TRACE(name);
    const FrameGraph schedule = compiled(graph, name);
    EXPECT_EQ(dispatchesOf(schedule), 4);
    EXPECT_EQ(levelRoles(schedule, 0), "state out_state");
    EXPECT_EQ(levelRoles(schedule, 2), "state out_state");
    EXPECT_EQ(rolesOf(*passNamed(schedule, ".synthesis")), "levels out_output");
    EXPECT_EQ(passNamed(schedule, ".synthesis")->roles[0].resources.size(), 4U);
    EXPECT_EQ(permutations(schedule, ".state"), (std::vector<int>{0, 0, 0}));
  }
  for (const char* name : {"permuted/buffer/pass", "tiled/image/pass"}) {
    SCOPED_TRACE(name);
    const FrameGraph schedule = compiled(graph, name);
    EXPECT_EQ(dispatchesOf(schedule), 4);
    EXPECT_EQ(permutations(schedule, ".state"), (std::vector<int>{1, 2, 0}));  // the last level restores
  }
}

TEST(Layout, EawCarriedAndGathered) {
  const NodeGraph graph = graphOf(eawText(3), layoutExtent);
  const FrameGraph carried = compiled(graph, "permuted/image/carried");
  EXPECT_EQ(dispatchesOf(carried), 3);
  EXPECT_EQ(levelRoles(carried, 0), "state out_sum out_state");
  EXPECT_EQ(levelRoles(carried, 1), "state sum out_sum out_state");
  EXPECT_EQ(levelRoles(carried, 2), "state sum out_output");
  EXPECT_EQ(permutations(carried, ".sum"), (std::vector<int>{1, 2}));
  EXPECT_EQ(passNamed(carried, ".level1")->roles[1].type.format, Format::f32);  // of half states
  EXPECT_EQ(permutations(compiled(graph, "rows2/image/carried"), ".sum"), (std::vector<int>{0, 0}));
  const FrameGraph gathered = compiled(graph, "rows4/buffer/gathered");
  EXPECT_EQ(dispatchesOf(gathered), 3);
  EXPECT_EQ(levelRoles(gathered, 1), "state out_state");
  EXPECT_EQ(levelRoles(gathered, 2), "state finer out_output");
  EXPECT_EQ(passNamed(gathered, ".level2")->roles[1].resources.size(), 2U);
  const FrameGraph single = compiled(graphOf(eawText(1), layoutExtent), "rows4/buffer/gathered");
  EXPECT_EQ(dispatchesOf(single), 1);
  EXPECT_EQ(levelRoles(single, 0), "state out_output");
}

TEST(Layout, FusedLevelsStoreWhatSynthesisReads) {
  const auto roles = [](int levels, const std::string& name, const std::string& level) {
    const FrameGraph schedule = compiled(graphOf(eawText(levels), layoutExtent), name);
    const Pass* pass = passNamed(schedule, ".level" + level);
    return pass == nullptr ? "no such level" : rolesOf(*pass);
  };
  EXPECT_EQ(roles(4, "fused2/image/carried", "0-1"), "state out_sum out_state");
  EXPECT_EQ(roles(4, "fused2/image/carried", "2"), "state sum out_sum out_state");
  EXPECT_EQ(roles(4, "fused2/image/gathered", "0-1"), "state state1 out_state");
  EXPECT_EQ(roles(4, "fused2/image/gathered", "3"), "state finer out_output");
  EXPECT_EQ(roles(3, "fused3@8x4/buffer/gathered", "0-2"),
            "state out_output");  // gathers from its own states
  EXPECT_EQ(roles(3, "fused3@8x4/buffer/pass", "0-2"), "state state1 state2 out_state");
  EXPECT_EQ(roles(1, "fused2/buffer/carried", "0"), "state out_output");
  const FrameGraph guided = compiled(graphOf(guidedText(3), layoutExtent), "fused2/image");
  EXPECT_EQ(rolesOf(*passNamed(guided, "levels.level0-1")), "state feature_geometry out_state");
  EXPECT_EQ(passNamed(guided, "levels.level0-1")->sharedBytes, 8U * 40 * 40);
  EXPECT_EQ(print(passNamed(guided, "levels.level2+alpha")->shader.schedule),
            print(schedulesNamed("rows4/image", false).front()));
}

TEST(Layout, FeaturesAreCarriedIntoEachPermutedLayout) {
  const NodeGraph graph = graphOf(guidedText(3), layoutExtent);
  const FrameGraph plain = compiled(graph, "rows3/image", wideDevice(), false);
  EXPECT_EQ(levelRoles(plain, 2), "state feature_geometry out_output");
  EXPECT_EQ(permutations(plain, "levels.geometry"), std::vector<int>{});
  const FrameGraph permuted = compiled(graph, "permuted/image", wideDevice(), false);
  const auto roles = [&](int level) {
    return rolesOf(*passNamed(permuted, "levels.level" + std::to_string(level)));
  };
  EXPECT_EQ(roles(0), "state feature_geometry out_state out_feature_geometry");
  EXPECT_EQ(roles(1), "state feature_geometry out_state out_feature_geometry");
  EXPECT_EQ(roles(2), "state feature_geometry out_output");
  EXPECT_EQ(permutations(permuted, "levels.geometry"), (std::vector<int>{1, 2}));
  EXPECT_EQ(permutations(permuted, "variance.geometry"), std::vector<int>{});  // one level, undilated
}

TEST(Layout, RereadFeaturesStayWhereTheyAre) {
  const FrameGraph reread = compiled(graphOf(guidedText(3), layoutExtent), "tiled-reread/buffer");
  for (const int level : {0, 1}) {
    EXPECT_EQ(rolesOf(*passNamed(reread, "levels.level" + std::to_string(level))),
              "state feature_geometry out_state");
  }
  EXPECT_EQ(permutations(reread, "levels.geometry"), std::vector<int>{});
  EXPECT_EQ(permutations(reread, "levels.state"), (std::vector<int>{1, 2}));
}

// Two chains with the same guide, under these schedules: which levels of the second one write it permuted.
std::vector<int> writersOfSecond(const std::string& first, const std::string& second) {
  const NodeGraph graph = graphOf(
      "i-memory:in smooth smooth:02 o-memory:out\ni-memory:side guide=smooth\n"
      "i-memory:side guide=smooth:02\nparam:smooth:01:levels:3\nparam:smooth:02:levels:4\n",
      layoutExtent, Format::f16, {LACUNA_MODULE_FOLDER, testFolder() + "/gpu/modules"});
  Diagnostics diagnostics;
  const CompileOptions options{wideDevice(), {{"smooth:01", first}, {"smooth:02", second}}};
  const FrameGraph schedule = compile(graph, options, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_EQ(checkBarriers(schedule), std::vector<std::string>{});
  std::vector<int> writers;
  for (int level = 0; level < 4; ++level) {
    const Pass* pass = passNamed(schedule, "smooth:02:smooth.level" + std::to_string(level));
    if (rolesOf(*pass).find("out_feature_guide") != std::string::npos)
      writers.push_back(level);
  }
  return writers;
}

TEST(Layout, ChainsInARowShareFeaturesOfOneLayout) {
  EXPECT_EQ(writersOfSecond("rows3/buffer", "permuted/buffer"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(writersOfSecond("permuted/buffer", "permuted/buffer"), std::vector<int>{2});
  EXPECT_EQ(writersOfSecond("tiled-local/buffer", "permuted-local/buffer"), std::vector<int>{2});
  EXPECT_EQ(writersOfSecond("tiled/buffer", "tiled/image"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(writersOfSecond("tiled/buffer", "tiled-local/buffer"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(writersOfSecond("tiled-reread/buffer", "tiled/buffer"), (std::vector<int>{0, 1, 2}));
}

TEST(Layout, APointwiseNodeBehindAChainJoinsItsLastPass) {
  const NodeGraph graph = graphOf(guidedText(3), layoutExtent);
  const std::string followed = "levels.level2+alpha";
  for (const char* name : {"rows3/image", "permuted/buffer", "lattice/buffer"}) {
    SCOPED_TRACE(name);
    const FrameGraph apart = compiled(graph, name, wideDevice(), false);
    const FrameGraph fused = compiled(graph, name);
    EXPECT_EQ(dispatchesOf(fused), dispatchesOf(apart) - 1);
    ASSERT_NE(passNamed(fused, followed), nullptr);
    // The input's alpha is read, and the filter's own result is not stored.
    const std::vector<Role>& roles = passNamed(fused, followed)->roles;
    ASSERT_EQ(roles.size(), 4U) << rolesOf(*passNamed(fused, followed));
    EXPECT_EQ(fused.resources[roles[2].resources[0]].name, "i-memory:in:image.output");
    EXPECT_EQ(fused.resources[roles[3].resources[0]].name, "atrous-guided:01:alpha.output");
  }
}

TEST(Layout, AStateOfAnotherTypeIsMadeFirst) {
  const FrameGraph same = compiled(graphOf(eawText(2), layoutExtent, Format::f16), "baseline");
  EXPECT_EQ(passNamed(same, ".init"), nullptr);
  const FrameGraph other = compiled(graphOf(eawText(2), layoutExtent, Format::f32), "baseline");
  ASSERT_NE(passNamed(other, ".init"), nullptr);
  EXPECT_EQ(rolesOf(*passNamed(other, ".init")), "in_0 out_state");
}

TEST(Layout, StorageIsWhatTheScheduleSays) {
  const NodeGraph graph = graphOf(eawText(4), layoutExtent);
  for (const StencilSchedule& wanted : allSchedules(true)) {
    const FrameGraph schedule = compiled(graph, print(wanted));
    for (const Resource& resource : schedule.resources)
      if (resource.name.find("atrous.") != std::string::npos)
        EXPECT_EQ(resource.kind, wanted.storage) << print(wanted) << ", " << resource.name;
  }
}

TEST(Layout, ValuesOfSpirvAreBuffersWhateverTheScheduleSays) {
  NodeGraph graph =
      graphOf("i-memory:in eaw taa eaw:02 o-memory:out\ni-memory:motion motion=taa\n", layoutExtent);
  NodeDescription spirv = *nodeNamed(graph, "taa:01:main").description;
  spirv.shader = "main.spv";
  for (const ResourceKind kind : {ResourceKind::image, ResourceKind::buffer}) {
    const FrameGraph schedule = compiled(graph, "baseline/image/pass");
    const Pass* pass = passNamed(schedule, "taa:01:main");
    ASSERT_NE(pass, nullptr);
    EXPECT_EQ(findRole(pass->roles, "input")->storage, kind);
    EXPECT_EQ(findRole(pass->roles, "output")->storage, kind);
    for (Node& node : graph.nodes)
      node.description = node.name == "taa:01:main" ? &spirv : node.description;
  }
}

TEST(Layout, ValuesTooLargeForABufferAreImages) {
  const NodeGraph graph = graphOf("i-memory:in exposure o-memory:out\n", layoutExtent);
  DeviceModel device = wideDevice();
  device.maxStorageBufferRange = 8 * 60 * 44;
  const FrameGraph fits = compiled(graph, "auto", device);
  device.maxStorageBufferRange -= 1;
  const FrameGraph tooLarge = compiled(graph, "auto", device);
  ASSERT_EQ(fits.resources.size(), 2U);
  for (const ResourceId r : fits.resources.ids()) {
    EXPECT_EQ(fits.resources[r].kind, ResourceKind::buffer);
    EXPECT_EQ(tooLarge.resources[r].kind, ResourceKind::image);
    EXPECT_EQ(tooLarge.resources[r].imageFormat, ImageFormat::rgba16f);
    EXPECT_EQ(tooLarge.resources[r].width, 60U);
  }
}

TEST(Layout, HistogramsBeyondTheDeviceAreErrors) {
  DeviceModel device = wideDevice();
  constexpr uint32_t bytes = 4 * (64 + 256);
  for (const uint32_t shared : {bytes, bytes - 1}) {
    device.maxSharedMemory = shared;
    Diagnostics diagnostics;
    compile(histogramGraph(layoutExtent), {device, {{"", "baseline"}}}, diagnostics);
    const bool refused = diagnostics.render().find(
                             "histogram:01:count counts in 1280 bytes of shared memory") != std::string::npos;
    EXPECT_EQ(refused, shared < bytes) << diagnostics.render();
  }
}

TEST(Layout, BarriersOfEveryScheduleHold) {
  DeviceModel device = wideDevice();
  device.maxBindings[0] = 32;  // storage buffers: eaw needs one for each of its estimates
  for (const bool synthesis : {true, false}) {
    const NodeGraph graph = graphOf(synthesis ? eawText(5, "param:eaw:01:noise:0\n") : guidedText(5),
                                    layoutExtent, synthesis ? Format::f32 : Format::f16);
    for (const StencilSchedule& wanted : allSchedules(synthesis)) {
      const FrameGraph schedule = compiled(graph, print(wanted), device);
      EXPECT_EQ(checkBarriers(schedule), std::vector<std::string>{}) << print(wanted);
      EXPECT_LT(schedule.arenaBytes, schedule.unaliasedBytes) << print(wanted);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
