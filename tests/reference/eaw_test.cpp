// eaw on the device against its double-precision version.
// f32, any levels: 1e-4 relative. f16 of one level: one step of half at the largest value of the pixel's two
// levels and the result, since the level itself is rounded to half before the synthesis.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/reference/reference.h"
#include "tests/references/eaw.h"

namespace lacuna::test {
namespace {

EawParameters randomParameters(std::mt19937_64& random, int levels, Format precision) {
  EawParameters p;
  p.levels = levels;
  p.curve.noise = std::round(uniform(random, 0.03, 0.2) * 1e6) / 1e6;
  p.precision = precision;
  for (size_t i = 0; i < 8; ++i) {
    p.edges[i] = uniform(random, 0.5, 6.0);
    p.thresholds[i] = uniform(random, 0.0, 2.0);
    p.gains[i] = uniform(random, 0.5, 1.5);
  }
  return p;
}

void makeStabilised(std::mt19937_64& random, EawParameters& p) {
  p.curve.power = std::round(uniform(random, 0.1, 0.9) * 1e6) / 1e6;
  p.curve.offset = std::round(uniform(random, 0.001, 0.1) * 1e6) / 1e6;
  for (double* noise :
       {&p.levelNoise.fine, &p.levelNoise.coarse, &p.levelNoise.colourFine, &p.levelNoise.colourCoarse})
    *noise = std::round(uniform(random, 0.5, 3.0) * 1e6) / 1e6;
}

// The largest magnitude that each value of a pixel takes in the levels.
Picture largest(const std::vector<Picture>& levels) {
  Picture result = levels.front();
  for (const Picture& level : levels)
    for (size_t i = 0; i < result.values.size(); ++i)
      result.values[i] = std::max(std::abs(result.values[i]), std::abs(level.values[i]));
  return result;
}

// Only schedules whose shaders compile fast; five and six rows equal the others. One a run, so that each
// level's pipeline compiles once for all images.
std::string randomSchedule() {
  std::mt19937_64 random = sharedRandom("eaw");
  auto all = allSchedules(true);
  std::erase_if(all, [](const StencilSchedule& schedule) { return schedule.rows > 4; });
  return print(all[static_cast<size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))]);
}

struct Reference {
  Picture output;
  Picture magnitude;
};

Reference referenceOf(const Image& image, const EawParameters& p) {
  const auto levels = eawLevels(pictureOf(image), p);
  return {eawOutput(eawSynthesis(levels, p), p), largest(levels)};
}

Deviation inHalfSteps(const Image& device, const Reference& reference) {
  return deviation(device, reference.output, [&](int x, int y, int c, double b) {
    return halfStep(std::max(std::abs(b), reference.magnitude.at(x, y)[c]));
  });
}

// About one in ten thousand values of each level is rounded the other way, which changes its neighbours in
// later levels, mostly by a part of a step, by a few steps where an edge's weight is steep; a carried sum
// also rounds once for each level.
void expectChainAgrees(const Image& device, const Reference& reference, const EawParameters& p,
                       bool carried) {
  const Deviation steps = inHalfSteps(device, reference);
  const double slack = carried ? 0.5 * p.levels : 0.0;
  EXPECT_LE(steps.worst, (p.levels == 1 ? 1.0 : 8.0) + slack) << "steps of half, " << steps.where;
  if (!carried) {
    EXPECT_LE(static_cast<double>(steps.beyond), 1e-3 * static_cast<double>(steps.count))
        << "of " << steps.count << " values are more than one step off, most " << steps.where;
  }
}

void expectCaseAgrees(const Image& image, const EawParameters& p) {
  const Reference reference = referenceOf(image, p);
  std::vector<std::string> schedules = {"auto"};
  // Further levels differ only in their distances, and tests/schedule compares them.
  if (p.levels <= 5)
    schedules.push_back(randomSchedule());
  for (const std::string& schedule : schedules) {
    SCOPED_TRACE(fmt::format("{}: {}x{} {}\n{}", schedule, image.type.extent.width, image.type.extent.height,
                             name(image.type.format), p.text()));
    const Image device = run(graphAround("eaw", image, p.text()), schedule).at("out");
    if (p.precision == Format::f32)
      expectAgrees(device, reference.output);
    else
      expectChainAgrees(device, reference, p, schedule.find("carried") != std::string::npos);
  }
}

class EawReference : public testing::TestWithParam<int> {};

TEST_P(EawReference, Float) {
  std::mt19937_64& random = testRandom();
  // All eight levels once, if the image is large enough to distinguish them.
  const int levels = GetParam() == 2 ? 8 : pick(random, 1, 3);
  EawParameters p = randomParameters(random, levels, Format::f32);
  if (GetParam() % 2 == 1)
    makeStabilised(random, p);
  const Extent extent = extentOfCase(GetParam(), random);
  expectCaseAgrees(randomImage(random, Channels::rgba, Format::f32, extent, false), p);
}

TEST_P(EawReference, HalfOfOneLevel) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  expectCaseAgrees(randomImage(random, Channels::rgba, Format::f16, extent, false),
                   randomParameters(random, 1, Format::f16));
}

INSTANTIATE_TEST_SUITE_P(Random, EawReference, testing::Range(0, 5));

TEST(EawReference, RandomHalfOfManyLevels) {
  std::mt19937_64& random = testRandom();
  const Image image = randomImage(random, Channels::rgba, Format::f16, {127, 509}, false);
  expectCaseAgrees(image, randomParameters(random, 5, Format::f16));
}

TEST(EawReference, RandomFloatInputOfHalfLevels) {
  std::mt19937_64& random = testRandom();
  const Image image = randomImage(random, Channels::rgba, Format::f32, randomExtent(random), false);
  EawParameters p = randomParameters(random, 1, Format::f16);
  const Reference reference = referenceOf(image, p);
  const Image device = run(graphAround("eaw", image, p.text()), "auto").at("out");
  // The result is in float, but its level was rounded to half.
  const Deviation steps = inHalfSteps(device, reference);
  EXPECT_LE(steps.worst, 1.0) << "steps of half, " << steps.where;
}

// In the stabilised domain, as the state is: half's steps at the largest of a colour's three components, and
// the error of the shader's simple inverse of the mean of clipped noise.
TEST(EawReference, RandomStabilisedHalfOfClippedNoise) {
  std::mt19937_64& random = testRandom();
  const Image image = randomImage(random, Channels::rgba, Format::f32, randomExtent(random), false);
  EawParameters p = randomParameters(random, 1, Format::f16);
  makeStabilised(random, p);
  p.curve.clipped = 1.0;
  SCOPED_TRACE(p.text());
  const Picture expected = referenceOf(image, p).output;
  const Picture found = pictureOf(run(graphAround("eaw", image, p.text()), "auto").at("out"));
  for (size_t i = 0; i < expected.values.size(); ++i) {
    if (i % 4 == 3) {
      ASSERT_EQ(found.values[i], roundToHalf(expected.values[i]));
    } else {
      const double v = stabilised(p.curve, expected.values[i]);
      double largestOfPixel = 1.0;
      for (size_t c = 0; c < 3; ++c) {
        largestOfPixel =
            std::max(largestOfPixel, std::abs(stabilised(p.curve, expected.values[i - i % 4 + c])));
      }
      ASSERT_NEAR(stabilised(p.curve, found.values[i]), v,
                  10.0 * halfStep(largestOfPixel) + 0.015 * p.curve.noise);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
