// A kernel with matrices compiles for every kind of device, also those that no test runs on here.

#include <fmt/format.h>

#include "graph/shader/parsed_shader.h"
#include "tests/shader/body_support.h"

namespace lacuna::test {
namespace {

class MatrixShaders : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  // tests/gpu/modules/matrix-product, its default constants.
  static FrameGraph schedule() {
    std::string text = "module:matrix-product:01\n";
    for (const char* name : {"a", "b", "bias"})
      text += fmt::format("i-planes:{0} {0}=matrix-product\n", name);
    for (const char* name : {"output", "halves", "copies"})
      text += fmt::format("matrix-product:01:{0} o-array:{0}\n", name);
    const auto& [memory, half] = GetParam();
    text += fmt::format("param:matrix-product:01:memory:{}\nparam:matrix-product:01:half_precision:{}\n",
                        memory, half);
    return scheduleOfText(text, {std::string(LACUNA_TEST_FOLDER) + "/gpu/modules", LACUNA_MODULE_FOLDER},
                          "auto", {Channels::y, Format::f32, ColourTag::data, {48, 64}, 48 * 64});
  }

  static std::vector<std::string> texts(FrameGraph schedule, const MatrixUse& use) {
    for (Pass& pass : schedule.passes)
      if (pass.shader.matrices)
        pass.shader.matrices = use;
    std::vector<std::string> all;
    generateShaders(schedule, {LACUNA_MODULE_FOLDER});
    for (const Pass& pass : schedule.passes)
      if (pass.shader.matrices)
        all.push_back(pass.glsl);
    return all;
  }
};

TEST_P(MatrixShaders, CompileForEveryKindOfDevice) {
  const FrameGraph planned = schedule();
  std::set<std::string> different;
  for (const MatrixKind kind : {MatrixKind::emulated, MatrixKind::nv, MatrixKind::khr}) {
    for (const bool workgroup : {false, true}) {
      const auto found = texts(planned, {kind, true, workgroup});
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(ParsedShader(found.front(), "matrices").log(), "") << static_cast<int>(kind);
      different.insert(found.front());
    }
  }
  EXPECT_EQ(different.size(), 6U) << "texts are the cache's keys";
}

INSTANTIATE_TEST_SUITE_P(Ways, MatrixShaders,
                         testing::Combine(testing::Values("words", "quads", "shared_quads", "shared_halves"),
                                          testing::Bool()));

}  // namespace
}  // namespace lacuna::test
