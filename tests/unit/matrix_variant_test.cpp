// Variants that multiply matrices: their devices, and the properties of the device that their shaders know.

#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

class MatrixVariants : public testing::Test {
 protected:
  MatrixVariants() {
    variant_.workgroups = {{32, 4}};
    variant_.matrix = true;
  }

  const Node& node() const { return nodeNamed(graph_, "bilateral-study:01:filter"); }
  std::string reason() const { return rejection(graph_, node(), defaultSchedule(variant_), device_); }
  std::optional<MatrixUse> told() const {
    const NodeGraph alone = aloneGraph(graph_, node());
    for (const Pass& pass : passesAlone(alone, *filterSchedule(defaultSchedule(variant_)), device_).passes)
      if (pass.kind == PassKind::dispatch)
        return pass.shader.matrices;
    return std::nullopt;
  }

  NodeGraph graph_ = cull(graphOf("i-memory:in bilateral-study o-memory:out\n", {90, 60}));
  VariantDescription variant_ = *variantsOf(graph_, node()).front();
  DeviceModel device_ = wideDevice();
};

TEST_F(MatrixVariants, RunWithoutMatricesToo) {
  EXPECT_EQ(reason(), "");
  ASSERT_TRUE(told().has_value());
  EXPECT_EQ(told()->kind, MatrixKind::emulated);
  EXPECT_FALSE(told()->float16);
  EXPECT_FALSE(told()->workgroup);
}

TEST_F(MatrixVariants, AreToldWhatTheDeviceHas) {
  device_.float16 = true;
  for (const MatrixKind kind : {MatrixKind::nv, MatrixKind::khr}) {
    device_.matrices = kind;
    ASSERT_TRUE(told().has_value());
    EXPECT_EQ(told()->kind, kind);
    EXPECT_TRUE(told()->float16);
  }
  variant_.matrix = false;
  EXPECT_FALSE(told().has_value());
}

TEST_F(MatrixVariants, OfWholeWorkgroupsNeedADeviceThatHasThem) {
  variant_.matrix2 = true;
  EXPECT_EQ(reason(), "the device has no matrices of whole workgroups (VK_NV_cooperative_matrix2)");
  device_.matrices = MatrixKind::khr;
  device_.workgroupMatrices = true;
  EXPECT_EQ(reason(), "");
  ASSERT_TRUE(told().has_value());
  EXPECT_TRUE(told()->workgroup);
}

TEST_F(MatrixVariants, HaveWorkgroupsOfWholeRowsOfLanes) {
  variant_.workgroups = {{16, 16}};
  EXPECT_EQ(reason(), "a workgroup 16 wide, but 32 invocations in a row hold a matrix");
  variant_.matrix = false;
  EXPECT_EQ(reason(), "");
}

}  // namespace
}  // namespace lacuna::test
