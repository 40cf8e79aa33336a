// bilateral-separable and bilateral-grid: each against its own definition in double precision, and both
// against the filter that they approximate.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/reference/bilateral_case.h"
#include "tests/reference/bilateral_colours.h"
#include "tests/reference/bilateral_grid.h"
#include "tests/reference/files.h"
#include "tests/support/differences.h"

namespace lacuna::test {
namespace {

class BilateralModes : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = bilateralExtents[GetParam()];
  bool isLarge_ = GetParam() == 3;

  // Drawn in the same way for all extents, so that each pipeline compiles once. The large image uses the
  // first three cases, whose radii and levels are smaller.
  std::mt19937_64 structureRandom_ = sharedRandom("bilateral modes");
  size_t count_ = isLarge_ ? 3 : 6;

  std::vector<BilateralCase> separableCases() {
    std::vector<BilateralCase> cases;
    auto structures = randomStructures(structureRandom_, {40, 40, 40, 255, 255, 255});
    structures.resize(count_);
    for (const BilateralStructure& structure : structures) {
      const Distance distance = pick(structureRandom_, 0, 1) == 0 ? Distance::perChannel : Distance::rgb;
      cases.push_back(randomBilateral(random_, structure, extent_, distance));
      cases.back().module = "bilateral-separable";
      cases.back().filter.iterations = 1;
    }
    return cases;
  }

  BilateralGrid gridFilter(int mostLevels) {
    BilateralGrid filter;
    filter.cell =
        pick(structureRandom_, 1, 3) == 1 ? pick(structureRandom_, 1, 64) : pick(structureRandom_, 2, 9);
    filter.levels = pick(structureRandom_, 2, mostLevels);
    filter.byLuminance = pick(structureRandom_, 0, 2) == 0;
    filter.sigmaSpace = filter.cell * 0.1 * pick(random_, 3, 30);
    filter.sigmaSpace = std::max(filter.sigmaSpace, 0.5);
    filter.sigmaRange = 0.255 * pick(random_, 20, 400);
    filter.black = 0.1 * pick(random_, -2, 3);
    const double span = 0.1 * pick(random_, 4, 20);
    filter.white = filter.black + span * (pick(random_, 0, 4) == 0 ? pick(random_, -1, 0) : 1);
    return filter;
  }

  Image gridImage(Format format, Channels channels) {
    return randomImage(random_, channels == Channels::mv ? Channels::depth : channels, format, extent_,
                       !isInteger(format) && pick(random_, 0, 2) == 0);
  }
};

TEST_P(BilateralModes, Separable) {
  for (const BilateralCase& c : separableCases()) {
    SCOPED_TRACE(c.text());
    const std::optional<Stored> guide = c.storedGuide();
    const Image device = run(c.graph(), "auto").at("out");
    // The rounding error of the first pass grows with the second one's steepest edges.
    expectWithin(device, bilateralSeparable(c.filter, c.storedInput(), guide ? &*guide : nullptr), 2e-4,
                 0.51);
  }
}

Image onlyFinite(Image image) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y) {
    for (uint32_t x = 0; x < image.type.extent.width; ++x)
      for (int c = 0; c < componentCount(image.type.channels); ++c)
        image.set(x, y, c, std::isfinite(image.at(x, y, c)) ? image.at(x, y, c) : 0.5);
  }
  return image;
}

// NaN and infinities reach all of an image where the radius is large: it is filtered without them as well.
void expectEqualSchedules(const MemoryGraph& graph) {
  std::map<std::string, Image> finite = graph.sources;
  for (auto& [name, image] : finite)
    image = onlyFinite(image);
  std::vector<Image> expected;
  for (const char* schedule : {"rows2", "rows5", "blocks2", "baseline"}) {
    MemoryRun device(graph, schedule);
    for (const int frame : {0, 1}) {
      device.bring(frame == 0 ? graph.sources : finite);
      device.compute(frame);
      const Image found = device.results().at("out");
      if (expected.size() < 2)
        expected.push_back(found);
      EXPECT_EQ(differences(expected[static_cast<size_t>(frame)], found), "") << schedule;
    }
  }
}

TEST_P(BilateralModes, SeparableSchedulesAreEqual) {
  const MemoryGraph graph = separableCases()[static_cast<size_t>(GetParam()) % count_].graph();
  SCOPED_TRACE(graph.text);
  expectEqualSchedules(graph);
}

// NaNs from memory and those of infinities differ in their sign; drivers decide which of two a sum
// keeps.
TEST(BilateralNans, SchedulesAreEqualWhereNansMeet) {
  for (const Format format : {Format::f32, Format::f16}) {
    Image image = makeImage(Channels::mv, format, {13, 9}, ColourTag::data);
    for (uint32_t i = 0; i < 13 * 9; ++i) {
      image.set(i % 13, i / 13, 0, 0.01 * i);
      image.set(i % 13, i / 13, 1, 0.5);
    }
    image.set(2, 2, 0, std::nan(""));
    image.set(3, 3, 1, INFINITY);
    image.set(4, 2, 1, -INFINITY);
    image.set(5, 4, 0, INFINITY);
    const MemoryGraph graph =
        graphAround("bilateral-separable", image, "param:bilateral-separable:01:radius:2\n");
    SCOPED_TRACE(name(format));
    expectEqualSchedules(graph);
  }
}

void expectGrid(const BilateralGrid& filter, const Image& input, const std::optional<Image>& guide) {
  MemoryGraph graph = graphWithGuide("bilateral-grid", input, guide);
  const auto set = [&](const char* name, const auto& value) {
    graph.text += fmt::format("param:bilateral-grid:01:{}:{}\n", name, value);
  };
  set("sigma_space", filter.sigmaSpace);
  set("sigma_range", filter.sigmaRange);
  set("distance", filter.byLuminance ? "luminance" : "per-channel");
  set("cell", filter.cell);
  set("levels", filter.levels);
  set("black", filter.black);
  set("white", filter.white);
  SCOPED_TRACE(fmt::format("{} {}\n{}", print(input.type), guide ? print(guide->type) : "", graph.text));
  const Stored storedInput{pictureOf(input), input.type};
  const Stored storedGuide = guide ? Stored{pictureOf(*guide), guide->type} : Stored{};
  expectWithin(run(graph, "auto").at("out"),
               bilateralGrid(filter, storedInput, guide ? &storedGuide : nullptr), 2e-4, 0.51);
}

TEST_P(BilateralModes, Grid) {
  const auto structures = randomStructures(structureRandom_, std::vector<int>(6, 1));
  for (size_t i = 0; i < count_; ++i) {
    const BilateralStructure& structure = structures[i];
    const Image input = gridImage(structure.format, structure.channels);
    std::optional<Image> guide;
    if (structure.guide)
      guide = gridImage(structure.guide->first, structure.guide->second);
    const BilateralGrid filter = gridFilter(i < 3 ? 24 : 64);
    expectGrid(filter, input, guide);
  }
}

// Pixels whose guide isn't finite, while the picture is.
TEST(BilateralGuides, RandomOnesThatAreNotFinite) {
  std::mt19937_64& random = testRandom();
  const Image input = randomImage(random, Channels::rgb, Format::f32, {29, 17}, false);
  expectGrid({}, input, randomImage(random, Channels::rgb, Format::f32, {29, 17}, true));
}

INSTANTIATE_TEST_SUITE_P(RandomExtents, BilateralModes, testing::Range(0, 4));

double psnr(const Image& a, const Image& b) {
  const Picture first = pictureOf(a);
  const Picture second = pictureOf(b);
  double squares = 0.0;
  for (size_t i = 0; i < first.values.size(); ++i)
    squares += (first.values[i] - second.values[i]) * (first.values[i] - second.values[i]);
  return 10.0 * std::log10(static_cast<double>(first.values.size()) / squares);
}

// The READMEs say 58 dB and 38 dB.
TEST(BilateralApproximations, AreNearTheFilter) {
  const std::string photo = exampleFolder() + "/inputs/photo.png";
  MemoryGraph graph;
  graph.text = fmt::format(
      "module:i-png:01\nparam:i-png:01:filename:\"{}\"\nparam:i-png:01:precision:u8\n"
      "param:i-png:01:encoding:linear\n",
      photo);
  for (const char* module : {"bilateral", "bilateral-separable", "bilateral-grid"})
    graph.text += fmt::format("i-png {0} o-memory:{0}\nparam:{0}:01:sigma_space:8\n", module);
  for (const char* module : {"bilateral", "bilateral-separable"})
    graph.text += fmt::format("param:{0}:01:radius:24\nparam:{0}:01:border:zero-weight\n", module);
  const auto images = runFiles(graph);
  EXPECT_GE(psnr(images.at("bilateral"), images.at("bilateral-grid")), 55.0);
  EXPECT_GE(psnr(images.at("bilateral"), images.at("bilateral-separable")), 36.0);
}

// sigma_range means the same in bytes and in floats: a picture of either kind is smoothed alike.
TEST(BilateralUnits, RandomPicturesOfBytesAndFloatsComeOutTheSame) {
  std::mt19937_64& random = testRandom();
  const Image bytes = randomImage(random, Channels::rgba, Format::u8, {40, 30}, false);
  Image floats = makeImage(Channels::rgba, Format::f32, bytes.type.extent);
  for (uint32_t i = 0; i < 40 * 30 * 4; ++i) {
    const auto c = static_cast<int>(i % 4);
    floats.set(i / 4 % 40, i / 160, c, bytes.at(i / 4 % 40, i / 160, c));
  }
  for (const char* module : {"bilateral", "bilateral-separable", "bilateral-grid"}) {
    const std::string more = fmt::format("param:{}:01:sigma_range:60\n", module);
    const Image ofBytes = run(graphAround(module, bytes, more), "auto").at("out");
    const Image ofFloats = run(graphAround(module, floats, more), "auto").at("out");
    const Deviation d =
        deviation(ofBytes, pictureOf(ofFloats), [](int, int, int, double) { return 1.0 / 255.0; });
    EXPECT_LE(d.worst, 1.5) << module << ", " << d.where;  // separable rounds twice
  }
}

}  // namespace
}  // namespace lacuna::test
