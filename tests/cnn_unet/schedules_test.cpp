// The schedules of cnn-unet's layers without matrices.

#include <gtest/gtest.h>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

class UnetSchedules : public testing::TestWithParam<Extent> {};

// `rows` are compared with the definition where subgroups are other than `lanes` need.
TEST_P(UnetSchedules, RandomHaveTheSameBits) {
  if (testDevice().info().limits.shuffledLanes != 8)
    GTEST_SKIP() << "no subgroups of 8 invocations";
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, {Plane::colour, Plane::albedo}, 40);
  const MemoryGraph graph = unetGraph({.weights = folder.write("random.safetensors", weightsFile(network)),
                                       .planes = randomPlanes(random, network, GetParam(), true),
                                       .arithmetic = "plain"});
  EXPECT_EQ(scheduleOf(graph, "auto").choices.front().candidates.front().family, "lanes");
  EXPECT_EQ(run(graph, "rows").at("out").words, run(graph, "lanes").at("out").words);
}

TEST(UnetCuts, RandomHaveTheSameBits) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = smallestNetwork(random, {Plane::colour});
  UnetRun of{folder.write("random.safetensors", weightsFile(network)),
             randomPlanes(random, network, {33, 47}, false)};
  of.arithmetic = "matrices";
  const MemoryGraph graph = unetGraph(of);
  EXPECT_EQ(run(graph, "rows").at("out").words, run(graph, "matrices/rows2").at("out").words);
}

INSTANTIATE_TEST_SUITE_P(Sizes, UnetSchedules,
                         testing::Values(Extent{1, 1}, Extent{33, 47}, Extent{130, 70}));

}  // namespace
}  // namespace lacuna::test
