// eaw's estimate of the noise (its outputs `noise` and `levels_noise`), compared with its double-precision
// version and with the added noise.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "tests/reference/files.h"
#include "tests/references/eaw.h"

namespace lacuna::test {
namespace {

// Standard deviation by signal.
using NoiseBySignal = std::function<double(double)>;

// Smooth gradients over three octaves, an edge, and normal noise.
Image noisyImage(std::mt19937_64& random, Extent extent, const NoiseBySignal& deviation) {
  Image image = makeImage(Channels::rgba, Format::f32, extent, ColourTag::rec709);
  std::normal_distribution<double> normal;
  const double edge = uniform(random, 0.2, 0.8) * extent.width;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      for (int c = 0; c < 4; ++c) {
        const double clean =
            0.3 * std::exp2(std::sin(0.03 * x + c) + std::cos(0.02 * y - c)) * (x > edge ? 1.0 : 0.4);
        image.set(x, y, c, c == 3 ? 1.0 : clean + deviation(clean) * normal(random));
      }
    }
  }
  return image;
}

struct Estimate {
  NoiseCurve curve;
  LevelNoise levels;
};

// A graph of eaw with outputs that are arrays of four.
MemoryGraph graphOfArrays(const Image& image, const std::string& parameters,
                          const std::vector<std::string>& outputs) {
  std::string text = parameters;
  for (const std::string& output : outputs)
    text += fmt::format("eaw:01:{0} o-array:{0}\n", output);
  MemoryGraph graph = graphAround("eaw", image, text);
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  return graph;
}

std::map<std::string, Image> arraysOf(const Image& image, const std::string& parameters,
                                      const std::vector<std::string>& outputs) {
  return run(graphOfArrays(image, parameters, outputs), "auto");
}

LevelNoise levelsIn(const Image& values) {
  return {values.at(0, 0, 0), values.at(1, 0, 0), values.at(2, 0, 0), values.at(3, 0, 0)};
}

NoiseCurve curveIn(const Image& values) {
  return {values.at(0, 0, 0), values.at(1, 0, 0), values.at(2, 0, 0), values.at(3, 0, 0)};
}

// Without the filtered picture.
NoiseCurve curveOf(const Image& image) {
  MemoryGraph graph;
  graph.text = "i-memory:in eaw:01:noise o-array:noise\n";
  graph.sources["in"] = image;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  return curveIn(run(graph, "auto").at("noise"));
}

Estimate estimateOf(const Image& image, const std::string& parameters = {}) {
  const auto found = arraysOf(image, parameters, {"noise", "levels_noise"});
  return {curveIn(found.at("noise")), levelsIn(found.at("levels_noise"))};
}

// Ranks and tiles are the same, so only arithmetic in floats differs.
void expectSameLevels(const LevelNoise& found, const LevelNoise& expected) {
  EXPECT_NEAR(found.fine / expected.fine, 1.0, 1e-3);
  EXPECT_NEAR(found.coarse / expected.coarse, 1.0, 1e-3);
  EXPECT_NEAR(found.colourFine / expected.colourFine, 1.0, 1e-3);
  EXPECT_NEAR(found.colourCoarse / expected.colourCoarse, 1.0, 1e-3);
}

void expectWhite(const LevelNoise& found, double bound) {
  EXPECT_NEAR(found.fine, 1.0, bound);
  EXPECT_NEAR(found.coarse, 1.0, bound);
  EXPECT_NEAR(found.colourFine, 1.0, bound);
  EXPECT_NEAR(found.colourCoarse, 1.0, bound);
}

void expectEstimate(std::mt19937_64& random, const NoiseBySignal& deviation, Extent extent = {256, 192}) {
  const Image image = noisyImage(random, extent, deviation);
  const Estimate estimate = estimateOf(image);
  const NoiseCurve& found = estimate.curve;
  const NoiseCurve expected = estimatedCurve(pictureOf(image));
  expectSameLevels(estimate.levels, estimatedLevelNoise(noiseTiles(pictureOf(image), found)));
  expectWhite(estimate.levels, 0.2);
  EXPECT_EQ(found.clipped, 0.0);
  for (const double x : {0.1, 0.3, 0.8}) {
    // One residual in another bin may make another offset the best; the curve hardly changes.
    EXPECT_NEAR(found.at(x) / expected.at(x), 1.0, 0.02) << x;
    EXPECT_NEAR(found.at(x) / deviation(x), 1.0, 0.12) << x;
  }
}

TEST(EawEstimate, RandomNoiseThatIsTheSameEverywhere) {
  std::mt19937_64& random = testRandom();
  const double sigma = std::exp(uniform(random, std::log(0.01), std::log(0.2)));
  SCOPED_TRACE(sigma);
  expectEstimate(random, [&](double) { return sigma; });
}

TEST(EawEstimate, RandomPhotonsAndReadNoise) {
  std::mt19937_64& random = testRandom();
  const double a = std::exp(uniform(random, std::log(1e-5), std::log(1e-3)));
  const double b = std::exp(uniform(random, std::log(1e-4), std::log(1e-2)));
  SCOPED_TRACE(fmt::format("variance {} + {} x", a, b));
  expectEstimate(random, [&](double x) { return std::sqrt(a + b * x); });
}

// Another picture in the first frame changes nothing.
TEST(EawEstimate, RandomSecondFrameCountsAnew) {
  std::mt19937_64& random = testRandom();
  const Image first = noisyImage(random, {256, 192}, [](double) { return 0.2; });
  const Image second = noisyImage(random, {256, 192}, [](double) { return 0.02; });
  const auto frames = run(graphOfArrays(first, "", {"noise"}), "auto", {{{"in", first}}, {{"in", second}}});
  EXPECT_EQ(frames.at(1).at("noise").at(0, 0, 0), estimateOf(second).curve.noise);
  EXPECT_NE(frames.at(0).at("noise").at(0, 0, 0), estimateOf(second).curve.noise);
}

TEST(EawEstimate, RandomPictureOfMoreBlocksThanCount) {
  expectEstimate(testRandom(), [&](double x) { return 0.05 * std::sqrt(x); }, {1003, 911});
}

TEST(EawEstimate, RandomNoiseInSrgbValues) {
  std::mt19937_64& random = testRandom();
  const double sigma = uniform(random, 5.0, 25.0) / 255.0;
  SCOPED_TRACE(sigma);
  const auto slope = [](double x) { return (srgbToLinear(linearToSrgb(x) + 1e-4) - x) / 1e-4; };
  expectEstimate(random, [&](double x) { return sigma * slope(x); });
}

// A file of 8 bits for viewing: noise of so many codes, cut off at 0 and 255.
Image noisyFile(std::mt19937_64& random, double sigma) {
  Image image = makeImage(Channels::rgba, Format::f32, {256, 192}, ColourTag::rec709);
  std::normal_distribution<double> normal(0.0, sigma);
  for (uint32_t i = 0; i < 256 * 192 * 4; ++i) {
    const uint32_t x = i / 4 % 256, y = i / 4 / 256;
    const auto c = static_cast<int>(i % 4);
    const double clean = 127.5 + 127.5 * std::sin(0.03 * x + c) * std::cos(0.02 * y - c);
    const double code = std::clamp(std::round(clean + normal(random)), 0.0, 255.0);
    image.set(x, y, c, c == 3 ? 1.0 : srgbToLinear(code / 255.0));
  }
  return image;
}

// Noise that was cut off counts as missing, not as less noise.
TEST(EawEstimate, RandomNoiseOfBoundedFiles) {
  std::mt19937_64& random = testRandom();
  for (const double sigma : {10.0, 25.0, 50.0}) {
    SCOPED_TRACE(sigma);
    const Image image = noisyFile(random, sigma);
    const NoiseCurve found = estimateOf(image, "param:eaw:01:bounded:true\n").curve;
    const NoiseCurve expected = estimatedCurve(pictureOf(image), true);
    EXPECT_EQ(found.clipped, 1.0);
    for (const double code : {64.0, 128.0, 192.0}) {
      const double x = srgbToLinear(code / 255.0);
      const double slope = (srgbToLinear(code / 255.0 + 1e-4) - x) / 1e-4;
      EXPECT_NEAR(found.at(x) / expected.at(x), 1.0, 0.02) << code;
      EXPECT_NEAR(found.at(x) / slope * 255.0 / sigma, 1.0, 0.1) << code;
    }
  }
}

// Each row has its own light and noise.
struct RowLight {
  double clean = 0.0, deviation = 0.0;
};

Image imageOfRows(std::mt19937_64& random, Extent extent, const std::function<RowLight(uint32_t)>& rowAt) {
  Image image = makeImage(Channels::rgba, Format::f32, extent, ColourTag::rec709);
  std::normal_distribution<double> normal;
  for (uint32_t i = 0; i < extent.width * extent.height * 4; ++i) {
    const uint32_t y = i / 4 / extent.width;
    const RowLight row = rowAt(y);
    const auto c = static_cast<int>(i % 4);
    image.set(i / 4 % extent.width, y, c, c == 3 ? 1.0 : row.clean + row.deviation * normal(random));
  }
  return image;
}

TEST(EawEstimate, RandomRowsBelowASquareCount) {
  const Image image = imageOfRows(testRandom(), {48, 192}, [](uint32_t y) {
    return RowLight{0.5, y < 48 ? 0.02 : 0.1};
  });
  const double found = curveOf(image).at(0.5);
  EXPECT_NEAR(found / estimatedCurve(pictureOf(image)).at(0.5), 1.0, 0.02);
  EXPECT_NEAR(found, 0.08, 0.03);
}

// Pixels count only near the right and the lower side, where the spline leaves the picture: the others are
// beside NaN. Blocks of 32x12 pixels end at the sides or near them.
TEST(EawEstimate, RandomNoiseAtTheSides) {
  std::mt19937_64& random = testRandom();
  for (const Extent extent : {Extent{96, 144}, Extent{95, 143}, Extent{97, 145}}) {
    Image image = imageOfRows(random, extent, [](uint32_t) { return RowLight{0.5, 0.05}; });
    for (uint32_t y = 0; y + 4 < extent.height; ++y) {
      for (uint32_t x = 0; x + 4 < extent.width; ++x) {
        image.set(x, y, 0, NAN);
        image.set(x, y, 1, NAN);
        image.set(x, y, 2, NAN);
      }
    }
    const double found = curveOf(image).at(0.5);
    EXPECT_NEAR(found / estimatedCurve(pictureOf(image)).at(0.5), 1.0, 0.02) << extent.width;
    EXPECT_NEAR(found, 0.05, 0.02) << extent.width;
  }
}

// Values were clipped at zero if hardly any is below it; here a twelfth of the picture is.
TEST(EawEstimate, RandomClippedNoiseBesideNegativeValues) {
  Image image = imageOfRows(testRandom(), {96, 96}, [](uint32_t y) {
    return RowLight{0.03 * std::pow(10.0, y / 95.0), 0.1};
  });
  for (const bool hasNegative : {false, true}) {
    for (uint32_t i = 0; i < 96 * 96 * 3; ++i) {
      const uint32_t x = i / 3 % 96, y = i / 3 / 96;
      const auto c = static_cast<int>(i % 3);
      image.set(x, y, c, hasNegative && x < 8 ? -0.1 : std::max(image.at(x, y, c), 0.0));
    }
    const NoiseCurve found = curveOf(image);
    const NoiseCurve expected = estimatedCurve(pictureOf(image));
    EXPECT_EQ(expected.clipped, hasNegative ? 0.0 : 1.0);
    EXPECT_EQ(found.clipped, expected.clipped);
    EXPECT_NEAR(found.at(0.1) / expected.at(0.1), 1.0, 0.02);
  }
}

// Tiles whose noise is cut off, below or above, have less of it. Texture is in none of them.
TEST(EawEstimate, RandomLevelsBesideClippedNoise) {
  std::mt19937_64& random = testRandom();
  for (const bool above : {false, true}) {
    Image image = noisyImage(random, {160, 160}, [](double) { return 0.0; });
    std::normal_distribution<double> normal;
    for (uint32_t i = 0; i < 160 * 160 * 3; ++i) {
      const uint32_t x = i / 3 % 160, y = i / 3 / 160;
      const double clean = x < 80 ? 0.5 : above ? 0.97 : 0.03, noisy = clean + 0.1 * normal(random);
      image.set(x, y, static_cast<int>(i % 3), above ? std::min(noisy, 1.0) : std::max(noisy, 0.0));
    }
    const NoiseCurve curve = {0.1, 0.0, 0.0625, 0.0};
    const std::string given =
        "param:eaw:01:noise:0.1\nparam:eaw:01:noise_power:0\nparam:eaw:01:noise_offset:0.0625\nparam:eaw:01:"
        "correlated:true\n";
    const LevelNoise found = levelsIn(arraysOf(image, given, {"levels_noise"}).at("levels_noise"));
    SCOPED_TRACE(above ? "above" : "below");
    expectSameLevels(found, estimatedLevelNoise(noiseTiles(pictureOf(image), curve)));
    EXPECT_GT(found.colourCoarse, 0.5);
  }
}

// The filter uses the estimated values.
TEST(EawEstimate, RandomIsWhatTheFilterTakes) {
  std::mt19937_64& random = testRandom();
  const Image image = noisyImage(random, {160, 120}, [](double x) { return 0.1 * std::sqrt(x); });
  EawParameters p;
  p.levels = 2;
  p.edges.fill(2.0);
  p.thresholds.fill(0.7);
  p.gains.fill(1.0);
  const Image estimated = run(graphAround("eaw", image, p.text()), "auto").at("out");
  const Estimate estimate = estimateOf(image, p.text());
  p.curve = estimate.curve;
  p.levelNoise = estimate.levels;
  const Picture given = eawOutput(eawSynthesis(eawLevels(pictureOf(image), p), p), p);
  const auto worst =
      deviation(estimated, given, [](int, int, int, double b) { return std::max(std::abs(b), 0.01); });
  EXPECT_LE(worst.worst, 2e-3) << worst.where;
}

// A connected noise of 0 is unknown, so it is estimated.
TEST(EawEstimate, RandomPictureStandsInForUnknownNoise) {
  const Image image = noisyImage(testRandom(), {64, 48}, [](double) { return 0.1; });
  MemoryGraph graph = graphAround("eaw", image, "param:eaw:01:levels:1\n");
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  graph.text += "i-array:known known=eaw\n";
  graph.sources["known"] = {{Channels::y, Format::f32, ColourTag::data, {}, 4}, std::vector<uint32_t>(4)};
  const Image output = run(graph, "auto").at("out");
  double change = 0.0;
  for (uint32_t i = 0; i < 64 * 48; ++i)
    change += std::abs(output.at(i % 64, i / 64, 1) - image.at(i % 64, i / 64, 1)) / (64 * 48);
  EXPECT_GT(change, 0.04);
  EXPECT_LT(change, 0.1);
}

// White noise of 1 through the weights 1 2 1 along both axes, as bilinear demosaicing and scaling do it.
Picture sharedNoise(std::mt19937_64& random, int width, int height) {
  Picture white(width + 2, height + 2, 3);
  std::normal_distribution<double> normal;
  std::generate(white.values.begin(), white.values.end(), [&] { return normal(random); });
  Picture noise(width, height, 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int tap = 0; tap < 9; ++tap) {
        const double weight = (tap % 3 == 1 ? 2.0 : 1.0) * (tap / 3 == 1 ? 2.0 : 1.0) / 16.0;
        for (int c = 0; c < 3; ++c)
          noise.at(x, y)[c] += weight * white.at(x + tap % 3, y + tap / 3)[c];
      }
    }
  }
  return noise;
}

Image withNoise(Image image, const Picture& noise, double sigma) {
  for (uint32_t i = 0; i < image.type.extent.width * image.type.extent.height * 3; ++i) {
    const uint32_t x = i / 3 % image.type.extent.width;
    const uint32_t y = i / 3 / image.type.extent.width;
    const int c = static_cast<int>(i % 3);
    image.set(x, y, c, image.at(x, y, c) + sigma * noise.at(static_cast<int>(x), static_cast<int>(y))[c]);
  }
  return image;
}

// Standard deviation of the details that levels remove, relative to white noise of 1, as in `squares`.
std::array<double, 4> deviationsOf(const Picture& noise) {
  std::array<double, 4> sums{};
  const auto tiles = noiseTiles(noise, {1.0, 0.0, 0.001, 0.0});
  for (const NoiseTile& tile : tiles)
    for (size_t k = 0; k < 4; ++k)
      sums[k] += tile.squares[k] / static_cast<double>(tiles.size());
  std::transform(sums.begin(), sums.end(), sums.begin(), [](double v) { return std::sqrt(v); });
  return sums;
}

TEST(EawEstimate, RandomNoiseThatNeighboursShare) {
  std::mt19937_64& random = testRandom();
  const Image clean = noisyImage(random, {256, 192}, [](double) { return 0.0; });
  const Picture noise = sharedNoise(random, 256, 192);
  const double sigma = uniform(random, 0.05, 0.3);
  const Estimate found = estimateOf(withNoise(clean, noise, sigma));
  const auto expected = deviationsOf(noise);
  EXPECT_GT(expected[1] / expected[0], 2.0);  // otherwise this test shows nothing
  const double unit = found.curve.at(0.3) / sigma;
  EXPECT_NEAR(unit * found.levels.fine / expected[0], 1.0, 0.2);
  EXPECT_NEAR(unit * found.levels.coarse / expected[1], 1.0, 0.2);
  EXPECT_NEAR(unit * found.levels.colourFine / expected[2], 1.0, 0.2);
  EXPECT_NEAR(unit * found.levels.colourCoarse / expected[3], 1.0, 0.25);
}

// Fine brightness everywhere, of twice the noise, doesn't count as noise: the colours show how much that is.
TEST(EawEstimate, RandomTextureOfBrightnessIsNoNoise) {
  std::mt19937_64& random = testRandom();
  const double sigma = uniform(random, 0.02, 0.05);
  Image image = noisyImage(random, {256, 192}, [&](double) { return sigma; });
  std::normal_distribution<double> normal;
  for (uint32_t i = 0; i < 256 * 192; ++i) {
    const double texture = 2.0 * sigma * normal(random);
    for (int c = 0; c < 3; ++c)
      image.set(i % 256, i / 256, c, image.at(i % 256, i / 256, c) + texture);
  }
  const Estimate found = estimateOf(image);
  EXPECT_GT(found.curve.at(0.3), 1.5 * sigma);  // otherwise this test shows nothing
  EXPECT_NEAR(found.curve.at(0.3) * found.levels.fine / sigma, 1.0, 0.15);
  EXPECT_NEAR(found.curve.at(0.3) * found.levels.coarse / sigma, 1.0, 0.15);
}

// The curve is given, so that all differences are those of the levels. Down to the smallest size that has
// tiles.
TEST(EawEstimate, RandomLevelsOfNoiseThatIsGiven) {
  std::mt19937_64& random = testRandom();
  for (const Extent extent : {Extent{44, 44}, Extent{45, 77}, Extent{127, 509}}) {
    const NoiseCurve curve = {0.125, 0.5, 0.0625, 0.0};
    const Image clean = noisyImage(random, extent, [](double) { return 0.0; });
    const Picture noise =
        sharedNoise(random, static_cast<int>(extent.width), static_cast<int>(extent.height));
    const Image image = withNoise(clean, noise, uniform(random, 0.05, 0.3));
    const std::string given =
        "param:eaw:01:noise:0.125\nparam:eaw:01:noise_power:0.5\nparam:eaw:01:noise_offset:0.0625\nparam:eaw:"
        "01:correlated:true\n";
    SCOPED_TRACE(fmt::format("{}x{}", extent.width, extent.height));
    expectSameLevels(levelsIn(arraysOf(image, given, {"levels_noise"}).at("levels_noise")),
                     estimatedLevelNoise(noiseTiles(pictureOf(image), curve)));
  }
}

TEST(EawEstimate, RandomPictureWithoutTilesHasWhiteNoise) {
  std::mt19937_64& random = testRandom();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{43, 200}, Extent{200, 43}})
    expectWhite(estimateOf(noisyImage(random, extent, [](double) { return 0.1; })).levels, 0.0);
}

TEST(EawEstimate, OfNothingIsNoNoise) {
  for (const double value : {0.0, 0.5, std::nan("")}) {
    Image image = makeImage(Channels::rgba, Format::f16, {33, 20}, ColourTag::rec709);
    for (uint32_t i = 0; i < 33 * 20 * 4; ++i)
      image.set(i / 4 % 33, i / 4 / 33, static_cast<int>(i % 4), value);
    const Estimate estimate = estimateOf(image);
    EXPECT_LE(estimate.curve.noise, 1e-3) << value;
    expectWhite(estimate.levels, 0.0);
  }
}

}  // namespace
}  // namespace lacuna::test
