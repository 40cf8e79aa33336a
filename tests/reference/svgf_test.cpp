// svgf on the device against its double-precision version, frame after frame: 1e-3 relative in f32.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>

#include "tests/reference/files.h"
#include "tests/reference/random_surfaces.h"
#include "tests/reference/svgf.h"
#include "tests/support/differences.h"

namespace lacuna::test {
namespace {

constexpr int frames = 5;  // the last two past short history

MemoryGraph graphOf(const std::map<std::string, Image>& images, const SvgfParameters& parameters) {
  std::string text = fmt::format("frames:{}\n", frames) + parameters.text();
  for (const auto& [name, image] : images)
    if (name != "in")
      text += fmt::format("i-memory:{0} {0}=svgf\n", name);
  MemoryGraph graph = graphAround("svgf", images.at("in"), text);
  graph.sources = images;
  return graph;
}

SvgfParameters randomParameters(std::mt19937_64& random) {
  SvgfParameters p;
  p.levels = pick(random, 1, 5);
  p.history = pick(random, 2, 16);
  p.sigmaLuminance = uniform(random, 1.0, 8.0);
  p.sigmaNormal = uniform(random, 1.0, 128.0);
  p.sigmaDepth = uniform(random, 0.2, 4.0);
  p.depthTolerance = uniform(random, 0.05, 0.2);
  p.normalTolerance = uniform(random, 0.3, 0.7);
  p.firefly = pick(random, 0, 1) == 0 ? 0.0 : uniform(random, 1.0, 3.0);
  return p;
}

void expectFrameAgrees(const Image& device, const Picture& reference, Format precision, int frame) {
  const Deviation d = relativeDeviation(device, reference);
  if (precision == Format::f32) {
    EXPECT_LE(d.worst, 1e-3) << "frame " << frame << ", " << d.where;
    return;
  }
  // Values that are rounded the other way change weights in even surroundings, and later results.
  const Deviation steps = halfDeviation(device, reference);
  EXPECT_LE(d.worst, 0.05) << "frame " << frame << ", " << d.where;
  EXPECT_LE(static_cast<double>(steps.beyond), 0.02 * static_cast<double>(steps.count))
      << "frame " << frame << ": so many values are more than a step of half off, most " << steps.where;
}

// `nextFrame` draws the inputs of a frame.
void expectSequenceAgrees(const SvgfParameters& parameters,
                          const std::function<std::map<std::string, Image>()>& nextFrame) {
  auto images = nextFrame();
  SvgfReference reference(parameters);
  SvgfReference jittered(parameters, 0x1p-22);
  MemoryRun device(graphOf(images, parameters), "auto");
  for (int frame = 0; frame < frames; ++frame) {
    device.bring(images);
    device.compute(frame);
    const Picture wanted = reference.next(frameOf(images));
    const Picture moved = jittered.next(frameOf(images));
    // 1e-3, and what rounding moves.
    const Deviation d = deviation(device.results().at("out"), wanted, [&](int x, int y, int c, double b) {
      const double by = std::abs(moved.at(x, y)[c] - b);
      return std::max(std::abs(b), 0.01) + (std::isfinite(by) ? 8e3 * by : 0.0);
    });
    EXPECT_LE(d.worst, 1e-3) << "frame " << frame << ", " << d.where;
    images = nextFrame();
  }
}

class SvgfReferenceTest : public testing::TestWithParam<int> {};

TEST_P(SvgfReferenceTest, RandomGeometry) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  SvgfParameters parameters = randomParameters(random);
  parameters.levels = std::min(parameters.levels, GetParam() >= 2 ? 3 : 5);  // large ones
  const bool withId = pick(random, 0, 1) == 1;
  RandomSurfaces scene(random, extent);
  // The omitted planes: none in the first case, one or more of four in the others.
  const int without = GetParam() == 0 ? 0 : pick(random, 1, 15);
  const bool withGradient = GetParam() % 2 == 0;
  const auto nextFrame = [&] {
    auto images = scene.frame(withId);
    if (withGradient)
      scene.addGradient(images);
    constexpr const char* planes[] = {"albedo", "normal", "depth", "motion"};
    for (int k = 0; k < 4; ++k)
      if ((without >> k & 1) != 0)
        images.erase(planes[k]);
    return images;
  };
  SCOPED_TRACE(fmt::format("{}x{}, without planes {:04b}\n{}", extent.width, extent.height, without,
                           parameters.text()));
  expectSequenceAgrees(parameters, nextFrame);
}

INSTANTIATE_TEST_SUITE_P(Random, SvgfReferenceTest, testing::Range(0, 4));

// The variants of `temporal` and `variance`, also where pixels have neither a colour nor a history.
TEST(SvgfVariants, OnRandomSurfacesHaveTheSameBits) {
  std::mt19937_64& random = testRandom();
  constexpr Extent extent{45, 37};
  SvgfParameters parameters = randomParameters(random);
  parameters.levels = 1;
  RandomSurfaces scene(random, extent);
  std::vector<std::map<std::string, Image>> pictures;
  for (int frame = 0; frame < frames; ++frame) {
    pictures.push_back(scene.frame(true));
    for (int i = 0; i < 40; ++i)
      pictures.back().at("in").set(static_cast<uint32_t>(pick(random, 0, 44)),
                                   static_cast<uint32_t>(pick(random, 0, 36)), 1, std::nan(""));
  }
  const MemoryGraph graph = graphOf(pictures.front(), parameters);
  const auto expected = run(graph, "pixels@16x16", pictures);
  for (const char* name :
       {"pixels@8x8", "pixels@32x1/rows32", "pixels@16x16/rows1", "listed@16x16", "listed@32x8"}) {
    const auto results = run(graph, name, pictures);
    for (size_t frame = 0; frame < pictures.size(); ++frame)
      EXPECT_EQ(differences(expected[frame].at("out"), results[frame].at("out")), "")
          << name << ", frame " << frame;
  }
}

// Pictures of 19x13 pixels that all move by `motion`, through one level; `valueAt(pixel)` draws a colour.
void expectMovingPictures(double firefly, std::array<double, 2> motion,
                          const std::function<double(uint32_t pixel)>& valueAt) {
  constexpr Extent extent{19, 13};
  SvgfParameters parameters;
  parameters.levels = 1;
  parameters.firefly = firefly;
  expectSequenceAgrees(parameters, [&] {
    std::map<std::string, Image> images;
    images["motion"] = makeImage(Channels::mv, Format::f32, extent, ColourTag::data);
    images["in"] = makeImage(Channels::rgba, Format::f32, extent);
    for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
      const uint32_t x = i % extent.width, y = i / extent.width;
      images["motion"].set(x, y, 0, motion[0]);
      images["motion"].set(x, y, 1, motion[1]);
      for (int c = 0; c < 4; ++c)
        images["in"].set(x, y, c, c == 3 ? 1.0 : valueAt(i));
    }
    return images;
  });
}

// Where nothing moves, each pixel passes from short history to long; lone bright ones at the border have
// fewer neighbours.
TEST(SvgfHistory, OfRandomStillPicturesIsTheDefinition) {
  std::mt19937_64& random = testRandom();
  expectMovingPictures(1.5, {0.0, 0.0}, [&](uint32_t pixel) {
    return pixel == 0 || pixel == 7 * 19 - 1 ? 5.0 : uniform(random, 0.4, 0.6);
  });
}

// A picture that glides by parts of a pixel: history is a mean of four pixels whose means differ, which adds
// to its variance. The last frames are past short history.
TEST(SvgfHistory, OfRandomGlidingPicturesIsTheDefinition) {
  std::mt19937_64& random = testRandom();
  expectMovingPictures(0.0, {0.375, -0.25}, [&](uint32_t) { return uniform(random, 0.3, 0.7); });
}

// A lamp lies in its ceiling's plane, but its albedo is white, so their light isn't mixed. Colours below
// zero, which filters of renderers make, are compared as others are. Without noise small differences count.
TEST(SvgfHistory, OfRandomLampsAndNegativeColoursIsTheDefinition) {
  std::mt19937_64& random = testRandom();
  constexpr Extent extent{16, 12};
  SvgfParameters parameters;
  parameters.levels = 1;
  parameters.firefly = 0.0;
  std::map<std::string, Image> images;
  images["motion"] = makeImage(Channels::mv, Format::f32, extent, ColourTag::data);
  images["in"] = makeImage(Channels::rgba, Format::f32, extent);
  images["albedo"] = makeImage(Channels::rgb, Format::f32, extent, ColourTag::data);
  images["normal"] = makeImage(Channels::normal, Format::f32, extent, ColourTag::data);
  for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
    const uint32_t x = i % extent.width, y = i / extent.width;
    const double light = uniform(random, 1.0, 1.001) * (y < 6 ? 1.0 : -1.0);
    for (int c = 0; c < 3; ++c) {
      images["in"].set(x, y, c, light);
      images["albedo"].set(x, y, c, x < 8 ? 1.0 : 0.97);
      images["normal"].set(x, y, c, c == 2 ? 1.0 : 0.0);
    }
    images["in"].set(x, y, 3, 1.0);
  }
  expectSequenceAgrees(parameters, [&] { return images; });
}

// A pixel without a colour whose neighbours are far behind it: geometry gives them weights of 2^-121. Their
// products with colours are below the least normal float; a GPU treated them as 0, a CPU did not.
TEST(SvgfMissingPixels, AreNotFilledFromBeyondTheirSurface) {
  std::map<std::string, Image> images;
  const auto plane = [&](const std::string& name, Channels channels, std::vector<double> values) {
    images[name] =
        makeImage(channels, Format::f32, {3, 1}, name == "in" ? ColourTag::rec709 : ColourTag::data);
    for (uint32_t x = 0; x < 3; ++x)
      for (int c = 0; c < componentCount(channels); ++c)
        images[name].set(x, 0, c, values[values.size() == 1 ? 0 : x]);
  };
  plane("in", Channels::rgba, {0.3, std::nan(""), 0.4});
  plane("albedo", Channels::rgb, {0.5});
  plane("normal", Channels::normal, {0.6});
  plane("depth", Channels::depth, {5.2, 1.0, 5.2});
  plane("motion", Channels::mv, {0.0});
  SvgfParameters parameters;
  parameters.levels = 1;
  parameters.sigmaDepth = 0.2;
  SvgfReference reference(parameters);
  MemoryRun device(graphOf(images, parameters), "auto");
  device.compute(0);
  const Image found = device.results().at("out");
  expectFrameAgrees(found, reference.next(frameOf(images)), Format::f32, 0);
  EXPECT_EQ(found.at(1, 0, 0), 0.0);
}

// Frames 1 to 4 of a sequence of the shared data folder, by another renderer. Skipped where it is missing.
class RenderedSequence : public testing::Test {
 protected:
  static std::string file(int frame) {
    return fmt::format("{}/../../shared/data/renders/seq/noisy_{:02}.exr", testFolder(), frame);
  }
  void SetUp() override {
    if (!std::filesystem::exists(file(1)))
      GTEST_SKIP() << "no shared data beside the repository";
  }

  // Delivered as i-exr delivers it, y of motion turned downwards.
  static std::map<std::string, Image> load(int frame) {
    MemoryGraph graph;
    graph.text = fmt::format(
        "module:i-exr:01\nparam:i-exr:01:filename:\"{}\"\n"
        "param:i-exr:01:motion_scale:1:-1\n",
        file(frame));
    for (const auto& [output, name] :
         {std::pair("output", "in"), std::pair("albedo", "albedo"), std::pair("normal", "normal"),
          std::pair("depth", "depth"), std::pair("motion", "motion")})
      graph.text += fmt::format("i-exr:01:{0} o-memory:{1}\n", output, name);
    return runFiles(graph);
  }
};

TEST_F(RenderedSequence, AgreesInFloatAndHalf) {
  for (const Format precision : {Format::f32, Format::f16}) {
    SvgfParameters parameters;
    parameters.precision = precision;
    // A level takes a second to compile, and differs from the one before only in its distances.
    parameters.levels = precision == Format::f32 ? 5 : 3;
    SvgfReference reference(parameters);
    std::unique_ptr<MemoryRun> device;
    for (int frame = 0; frame < 3; ++frame) {
      const auto images = load(frame + 1);
      if (frame == 0)
        device = std::make_unique<MemoryRun>(graphOf(images, parameters), "auto");
      device->bring(images);
      device->compute(frame);
      expectFrameAgrees(device->results().at("out"), reference.next(frameOf(images)), precision, frame);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
