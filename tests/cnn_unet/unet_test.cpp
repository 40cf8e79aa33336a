// cnn-unet against its definition, and against what PyTorch computes with the same weights: files by
// tests/train/golden.py.

#include <gtest/gtest.h>
#include <sched.h>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/cnn_unet/golden_file.h"
#include "tests/support/differences.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

const std::vector<Plane> allPlanes[] = {
    {Plane::colour},
    {Plane::colour, Plane::normal, Plane::depth},
    {Plane::colour, Plane::albedo, Plane::normal, Plane::depth},
    {Plane::depth, Plane::albedo, Plane::colour},
};

void check(const unet::Network& network, const UnetRun& of) {
  RenderPlanes planes;
  for (const auto& [name, plane] : of.planes)
    planes[name] = rounded(plane, of.format);
  const Channelled expected = denoised(network, planes);
  UnetRun run = of;
  for (const char* arithmetic : {"auto", "plain"}) {
    SCOPED_TRACE(arithmetic);
    run.arithmetic = arithmetic;
    expectDenoised(denoise(run), expected);
  }
  if (hasHostNetwork && of.format == Format::f32) {
    SCOPED_TRACE("host");
    run.arithmetic = "host";
    expectDenoised(denoise(run), expected, 1e-4);
  }
}

struct UnetCase {
  Extent extent;
  int planes = 0;
  int widest = 12;  // channels of a layer
  Format format = Format::f32;
  bool isBroken = false;
};

class Unet : public testing::TestWithParam<UnetCase> {};

TEST_P(Unet, RandomIsItsDefinition) {
  const UnetCase& of = GetParam();
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, allPlanes[of.planes], of.widest);
  check(network, {folder.write("random.safetensors", weightsFile(network)),
                  randomPlanes(random, network, of.extent, of.isBroken), of.format});
}

INSTANTIATE_TEST_SUITE_P(Sizes, Unet,
                         testing::Values(UnetCase{{1, 1}, 0}, UnetCase{{17, 1}, 1}, UnetCase{{33, 47}, 2, 40},
                                         UnetCase{{64, 64}, 3, 20, Format::f16},
                                         UnetCase{{37, 70}, 2, 20, Format::f32, true}));

// Emulated here, so the network is small: emulation takes compilers long.
TEST(UnetMatrices, RandomIsItsDefinition) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = smallestNetwork(random, allPlanes[2]);
  const UnetRun of{folder.write("random.safetensors", weightsFile(network)),
                   randomPlanes(random, network, {45, 35}, false), Format::f32, false, "matrices"};
  RenderPlanes planes;
  for (const auto& [name, plane] : of.planes)
    planes[name] = rounded(plane, of.format);
  expectDenoised(denoise(of), denoised(network, planes));
}

// Bands of rows, each on a thread, are the same on any number of cores.
TEST(UnetHost, RandomIsTheSameOnOneCore) {
  if (!hasHostNetwork)
    GTEST_SKIP() << "built without oneDNN";
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, allPlanes[2], 40);
  const UnetRun of{folder.write("random.safetensors", weightsFile(network)),
                   randomPlanes(random, network, {127, 129}, false), Format::f16, false, "host"};
  const Image onAll = denoise(of);
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Image onOne = denoise(of);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(differences(onAll, onOne), "");
}

TEST(UnetAlpha, RandomIsUntouched) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, allPlanes[0], 4);
  const Image made = denoise({folder.write("a.safetensors", weightsFile(network)),
                              randomPlanes(random, network, {5, 3}, false), Format::f32, true});
  ASSERT_EQ(made.type.channels, Channels::rgba);
  for (uint32_t x = 0; x < 5; ++x)
    EXPECT_EQ(made.at(x, 2, 3), (x + 1) / 1024.0);
}

class UnetGolden : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(UnetGolden, IsWhatPyTorchComputes) {
  const auto& [weights, size] = GetParam();
  const GoldenFile golden(weights, size);
  expectDenoised(denoise({golden.weights(), golden.planes(), Format::f16}), golden.image("output"));
}

INSTANTIATE_TEST_SUITE_P(Files, UnetGolden,
                         testing::Values(std::pair("tiny-rgb", "17x1"), std::pair("tiny-rgb", "64x64"),
                                         std::pair("tiny-rgb-and", "17x1"),
                                         std::pair("tiny-rgb-and", "33x47"), std::pair("rgb", "17x1"),
                                         std::pair("rgb-and", "17x1"), std::pair("rgb-and", "33x47"),
                                         std::pair("rgb-and", "render")));

}  // namespace
}  // namespace lacuna::test
