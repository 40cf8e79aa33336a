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

// Nothing is filtered: thresholds of 0 and gains of 1.
EawParameters boundedAlone(const NoiseCurve& curve) {
  EawParameters p;
  p.levels = 1;
  p.curve = curve;
  p.bounded = true;
  p.edges.fill(1.0);
  p.gains.fill(1.0);
  return p;
}

// Both ends are cut off, or one, or neither: values from below 0 to above 1.
TEST_P(EawReference, BoundedNoise) {
  std::mt19937_64& random = testRandom();
  Image image = makeImage(Channels::rgba, Format::f32, extentOfCase(GetParam(), random), ColourTag::rec709);
  const uint32_t width = image.type.extent.width;
  for (uint32_t i = 0; i < width * image.type.extent.height * 4; ++i) {
    const double value = uniform(random, -0.4, 1.4);
    image.set(i / 4 % width, i / 4 / width, static_cast<int>(i % 4), std::clamp(value, 0.0, 1.0));
  }
  EawParameters p = randomParameters(random, pick(random, 1, 3), Format::f32);
  p.bounded = true;
  if (GetParam() % 2 == 1)
    makeStabilised(random, p);
  SCOPED_TRACE(fmt::format("{}x{}\n{}", width, image.type.extent.height, p.text()));
  const Picture expected = referenceOf(image, p).output;
  for (const std::string& schedule : {std::string("auto"), randomSchedule()}) {
    const Picture found = pictureOf(run(graphAround("eaw", image, p.text()), schedule).at("out"));
    for (size_t i = 0; i < expected.values.size(); ++i) {
      if (i % 4 == 3) {
        ASSERT_EQ(found.values[i], expected.values[i]);
      } else {
        ASSERT_GE(found.values[i], 0.0);
        ASSERT_LE(found.values[i], 1.0);
        ASSERT_NEAR(stabilised(p.curve, found.values[i]), stabilised(p.curve, expected.values[i]),
                    0.0055 * p.curve.noise + 2e-4);
      }
    }
  }
}

// What clipping.glsl states, of noise from an eighth of the distance between black and white to all of it.
TEST(EawReference, BoundedNoiseOfAnyStrength) {
  const std::pair<double, double> errors[] = {{8.0, 0.005}, {4.0, 0.005}, {2.0, 0.01}, {1.0, 0.04}};
  constexpr uint32_t width = 1025;
  Image image = makeImage(Channels::rgba, Format::f32, {width, 1}, ColourTag::rec709);
  for (uint32_t i = 0; i < width * 4; ++i)
    image.set(i / 4, 0, static_cast<int>(i % 4), -0.5 + 2.0 * (i / 4) / (width - 1.0));
  for (const auto& [white, error] : errors) {
    const EawParameters p = boundedAlone({1.0 / white, 0.0, 0.001, 0.0});
    const Image found = run(graphAround("eaw", image, p.text()), "auto").at("out");
    double before = 0.0;
    for (uint32_t x = 0; x < width; ++x) {
      const double value = found.at(x, 0, 1), mean = image.at(x, 0, 1);
      ASSERT_GE(value, before) << white << " " << mean;
      ASSERT_LE(value, 1.0) << white << " " << mean;
      ASSERT_NEAR(white * value, white * unclippedBetween(p.curve, mean), error + 1e-3)
          << white << " " << mean;
      before = value;
    }
  }
}

// The largest mean error of columns near black and near white.
double errorAtEnds(const Image& image) {
  double worst = 0.0;
  const uint32_t width = image.type.extent.width, height = image.type.extent.height;
  for (uint32_t column = 0; column < width / 8; column += width / 32) {
    for (const uint32_t first : {column, width - column - width / 32}) {
      double sum = 0.0;
      for (uint32_t i = 0; i < width / 32 * height * 3; ++i) {
        const uint32_t x = first + i / 3 / height;
        sum += image.at(x, i / 3 % height, static_cast<int>(i % 3)) - x / (width - 1.0);
      }
      worst = std::max(worst, std::abs(sum) / (width / 32 * height * 3));
    }
  }
  return worst;
}

// What `bounded` is for. Noise of .1 in a ramp from black to white, cut off at both: errors become 7.7 times
// smaller if the noise is given, and 4.3 to 5.2 times if it is estimated.
TEST(EawReference, RandomBoundedNoiseLeavesTheEndsOfARamp) {
  std::mt19937_64& random = testRandom();
  std::normal_distribution<double> normal(0.0, 0.1);
  Image image = makeImage(Channels::rgba, Format::f32, {512, 256}, ColourTag::rec709);
  for (uint32_t i = 0; i < 512 * 256 * 3; ++i) {
    const double noisy = i / 3 % 512 / 511.0 + normal(random);
    image.set(i / 3 % 512, i / 3 / 512, static_cast<int>(i % 3), std::clamp(noisy, 0.0, 1.0));
  }
  for (const auto& [noise, times] : {std::pair{"0.1", 6.0}, std::pair{"0", 3.5}}) {
    const auto errorOf = [&](const char* bounded) {
      const std::string text =
          fmt::format("param:eaw:01:noise:{}\nparam:eaw:01:bounded:{}\n", noise, bounded);
      return errorAtEnds(run(graphAround("eaw", image, text), "auto").at("out"));
    };
    EXPECT_GE(errorOf("false") / errorOf("true"), times) << errorOf("false") << " " << errorOf("true");
  }
}

}  // namespace
}  // namespace lacuna::test
