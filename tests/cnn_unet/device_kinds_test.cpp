// The module's kernels compile for devices with matrices, which no test runs on here.

#include <gtest/gtest.h>

#include "graph/shader/generate/shaders.h"
#include "graph/shader/parsed_shader.h"
#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/folder.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

class UnetOnMatrices : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(UnetOnMatrices, RandomCompilesForEveryKindOfDevice) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, {unet::Plane::colour, unet::Plane::depth}, 40);
  UnetRun run{folder.write("random.safetensors", weightsFile(network)),
              randomPlanes(random, network, {33, 47}, false)};
  run.arithmetic = "matrices";
  run.layers = GetParam().first;
  const FrameGraph schedule = scheduleOf(unetGraph(run), GetParam().second);
  for (const bool eight : {true, false})
    for (const MatrixKind kind : {MatrixKind::nv, MatrixKind::khr}) {
      FrameGraph planned = schedule;
      for (Pass& pass : planned.passes)
        if (pass.shader.matrices)
          pass.shader.matrices = MatrixUse{kind, true, false, eight};
      size_t count = 0;
      generateShaders(planned, {moduleFolder()});
      for (const Pass& pass : planned.passes)
        if (pass.shader.matrices) {
          EXPECT_EQ(ParsedShader(pass.glsl, pass.name).log(), "") << pass.name;
          ++count;
        }
      EXPECT_GT(count, network.layers.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Layers, UnetOnMatrices,
                         testing::Values(std::pair("fused", "auto"), std::pair("fused", "matrices/rows2"),
                                         std::pair("simple", "auto")));

}  // namespace
}  // namespace lacuna::test
