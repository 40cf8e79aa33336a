// eaw's estimate of the noise, as its output `noise` gives it: against its double-precision version, and
// against the noise that was added.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

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

NoiseCurve estimateOf(const Image& image, const std::string& parameters = {}) {
  MemoryGraph graph = graphAround(
      "eaw", image, parameters + "module:o-array-4:noise\nconnect:eaw:01:noise:o-array-4:noise:input\n");
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  const Image values = run(graph, "auto").at("noise");
  return {values.at(0, 0, 0), values.at(1, 0, 0), values.at(2, 0, 0), values.at(3, 0, 0)};
}

void expectEstimate(std::mt19937_64& random, const NoiseBySignal& deviation) {
  const Image image = noisyImage(random, {256, 192}, deviation);
  const NoiseCurve found = estimateOf(image);
  const NoiseCurve expected = estimatedCurve(pictureOf(image), Format::f16);
  EXPECT_EQ(found.clipped, 0.0);
  for (const double x : {0.1, 0.3, 0.8}) {
    // One residual in another bin may make another offset the best, of a curve that is hardly another.
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

TEST(EawEstimate, RandomNoiseInSrgbValues) {
  std::mt19937_64& random = testRandom();
  const double sigma = uniform(random, 5.0, 25.0) / 255.0;
  SCOPED_TRACE(sigma);
  const auto slope = [](double x) { return (srgbToLinear(linearToSrgb(x) + 1e-4) - x) / 1e-4; };
  expectEstimate(random, [&](double x) { return sigma * slope(x); });
}

// What is estimated is what is filtered with.
TEST(EawEstimate, RandomIsWhatTheFilterTakes) {
  std::mt19937_64& random = testRandom();
  const Image image = noisyImage(random, {160, 120}, [](double x) { return 0.1 * std::sqrt(x); });
  EawParameters p;
  p.levels = 2;
  p.edges.fill(2.0);
  p.thresholds.fill(0.7);
  p.gains.fill(1.0);
  const Image estimated = run(graphAround("eaw", image, p.text()), "auto").at("out");
  p.curve = estimateOf(image, p.text());
  const Picture given = eawOutput(eawSynthesis(eawLevels(pictureOf(image), p), p), p);
  const auto worst =
      deviation(estimated, given, [](int, int, int, double b) { return std::max(std::abs(b), 0.01); });
  EXPECT_LE(worst.worst, 2e-3) << worst.where;
}

TEST(EawEstimate, OfNothingIsNoNoise) {
  for (const double value : {0.0, 0.5, std::nan("")}) {
    Image image = makeImage(Channels::rgba, Format::f16, {33, 20}, ColourTag::rec709);
    for (uint32_t i = 0; i < 33 * 20 * 4; ++i) {
      image.set(i / 4 % 33, i / 4 / 33, static_cast<int>(i % 4), value);
    }
    EXPECT_LE(estimateOf(image).noise, 1e-3) << value;
  }
}

}  // namespace
}  // namespace lacuna::test
