// The layout stage's result for a chain under each family: passes, storage, barriers. layout-of-chains.txt
// has the roles.

#include "graph/shader/generate/roles.h"
#include "tests/support/check_barriers.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent layoutExtent{60, 44};

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
