// The module's parameter `layers`: other ways to the same picture.

#include <gtest/gtest.h>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

struct LayerKindCase {
  const char* layers;
  const char* arithmetic;
  Extent extent;
  int widest = 20;  // channels of a layer; 0: the smallest network, since matrices take compilers long
  bool isBroken = false;
};

class UnetLayerKinds : public testing::TestWithParam<LayerKindCase> {};

TEST_P(UnetLayerKinds, RandomAreTheDefinition) {
  const LayerKindCase& of = GetParam();
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const std::vector<Plane> taken = {Plane::colour, Plane::albedo, Plane::normal, Plane::depth};
  const unet::Network network =
      of.widest > 0 ? randomNetwork(random, taken, of.widest) : smallestNetwork(random, taken);
  UnetRun run{folder.write("random.safetensors", weightsFile(network)),
              randomPlanes(random, network, of.extent, of.isBroken)};
  run.layers = of.layers;
  run.arithmetic = of.arithmetic;
  RenderPlanes planes;
  for (const auto& [name, plane] : run.planes)
    planes[name] = rounded(plane, run.format);
  expectDenoised(denoise(run), denoised(network, planes));
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnetLayerKinds,
                         testing::Values(LayerKindCase{"simple", "plain", {1, 1}},
                                         LayerKindCase{"simple", "plain", {33, 47}, 60},
                                         LayerKindCase{"simple", "plain", {70, 37}, 20, true},
                                         LayerKindCase{"simple", "matrices", {45, 35}, 0}));

}  // namespace
}  // namespace lacuna::test
