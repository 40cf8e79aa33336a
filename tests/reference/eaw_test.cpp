// eaw on the device against its double-precision version.
// f32, any levels: 1e-4 relative. f16 of one level: one step of half at the largest value of the pixel's two
// levels and the result, since the level itself is rounded to half before the synthesis.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/compile/stencil_schedule.h"
#include "tests/reference/eaw.h"

namespace lacuna::test {
namespace {

EawParameters randomParameters(std::mt19937_64& random, int levels, bool estimate, Format precision) {
  EawParameters p;
  p.levels = levels;
  p.noise = estimate ? 0.0 : std::round(uniform(random, 0.03, 0.2) * 1e6) / 1e6;
  p.precision = precision;
  for (size_t i = 0; i < 8; ++i) {
    p.edges[i] = uniform(random, 0.5, 6.0);
    p.thresholds[i] = uniform(random, 0.0, 2.0);
    p.gains[i] = uniform(random, 0.5, 1.5);
  }
  return p;
}

// How far the estimate moves where rounding decides into which bin a residual goes.
double estimateSpread(const Picture& input, Format precision, double noise) {
  const double above = estimatedNoise(input, precision, 1.0 + 2e-5);
  const double below = estimatedNoise(input, precision, 1.0 - 2e-5);
  return std::max(std::abs(above - noise), std::abs(below - noise));
}

// In small images one residual may matter: those are drawn again. Residuals in half lie on the edges of
// octaves in numbers, so that there the estimate may move by 1e-3.
bool estimateIsStable(const Picture& input, Format precision) {
  const double noise = estimatedNoise(input, precision);
  return estimateSpread(input, precision, noise) < noise * (precision == Format::f16 ? 1e-3 : 6e-5);
}

Image stableImage(std::mt19937_64& random, Extent extent, Format precision) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    Image image = randomImage(random, Channels::rgba, precision, extent, false);
    if (estimateIsStable(pictureOf(image), precision)) {
      return image;
    }
  }
  throw std::runtime_error("no image with a stable estimate in 100");
}

// The largest magnitude that each value of a pixel takes in the levels.
Picture largest(const std::vector<Picture>& levels) {
  Picture result = levels.front();
  for (const Picture& level : levels) {
    for (size_t i = 0; i < result.values.size(); ++i) {
      result.values[i] = std::max(std::abs(result.values[i]), std::abs(level.values[i]));
    }
  }
  return result;
}

// Of the schedules whose shaders compile fast; five and six rows equal the others.
std::string randomSchedule(std::mt19937_64& random) {
  auto all = allSchedules(true);
  std::erase_if(all, [](const StencilSchedule& schedule) { return schedule.rows > 4; });
  return print(all[static_cast<size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))]);
}

struct Reference {
  Picture output;
  Picture magnitude;
  double slack = 0.0;  // what the estimate's spread may do to the thresholds
};

Reference referenceOf(const Image& image, const EawParameters& p) {
  const Picture input = pictureOf(image);
  const bool estimates = p.noise == 0.0;
  const double noise = estimates ? estimatedNoise(input, p.precision) : p.noise;
  const auto levels = eawLevels(input, p, noise);
  Reference reference{eawSynthesis(levels, p, noise), largest(levels)};
  for (size_t level = 0; estimates && level + 1 < levels.size(); ++level) {
    reference.slack += estimateSpread(input, p.precision, noise) * p.thresholds[level] * p.gains[level];
  }
  return reference;
}

Deviation inHalfSteps(const Image& device, const Reference& reference) {
  return deviation(device, reference.output, [&](int x, int y, int c, double b) {
    return halfStep(std::max(std::abs(b), reference.magnitude.at(x, y)[c])) + reference.slack;
  });
}

// A rounding that falls the other way, at about one in ten thousand values a level, moves its neighbours of
// later levels, mostly by a part of a step, by some where an edge's weight is steep; a carried sum rounds
// once a level as well.
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

void expectCaseAgrees(std::mt19937_64& random, const Image& image, const EawParameters& p) {
  const Reference reference = referenceOf(image, p);
  for (const std::string& schedule : {std::string("auto"), randomSchedule(random)}) {
    SCOPED_TRACE(fmt::format("{}: {}x{} {}\n{}", schedule, image.type.extent.width, image.type.extent.height,
                             name(image.type.format), p.text()));
    const Image device = run(graphAround("eaw", image, p.text()), schedule).at("out");
    if (p.precision == Format::f32) {
      expectAgrees(device, reference.output);
    } else {
      expectChainAgrees(device, reference, p, schedule.find("carried") != std::string::npos);
    }
  }
}

class EawReference : public testing::TestWithParam<int> {};

TEST_P(EawReference, Float) {
  std::mt19937_64 random(testSeed() + 100 + static_cast<uint64_t>(GetParam()));
  const bool estimate = GetParam() % 2 == 1;
  // All eight levels once, where the image is large enough to tell them apart.
  const int levels = GetParam() == 2 ? 8 : pick(random, 1, 3);
  const Extent extent = extentOfCase(GetParam(), random);
  const Image image = estimate ? stableImage(random, extent, Format::f32)
                               : randomImage(random, Channels::rgba, Format::f32, extent, false);
  expectCaseAgrees(random, image, randomParameters(random, levels, estimate, Format::f32));
}

TEST_P(EawReference, HalfOfOneLevel) {
  std::mt19937_64 random(testSeed() + 200 + static_cast<uint64_t>(GetParam()));
  const bool estimate = GetParam() % 2 == 0 && GetParam() > 0;
  const Extent extent = extentOfCase(GetParam(), random);
  const Image image = estimate ? stableImage(random, extent, Format::f16)
                               : randomImage(random, Channels::rgba, Format::f16, extent, false);
  expectCaseAgrees(random, image, randomParameters(random, 1, estimate, Format::f16));
}

INSTANTIATE_TEST_SUITE_P(Random, EawReference, testing::Range(0, 5));

TEST(EawReference, HalfOfManyLevels) {
  std::mt19937_64 random(testSeed() + 300);
  const Image image = randomImage(random, Channels::rgba, Format::f16, {127, 509}, false);
  expectCaseAgrees(random, image, randomParameters(random, 5, false, Format::f16));
}

TEST(EawReference, FloatInputOfHalfLevels) {
  std::mt19937_64 random(testSeed() + 400);
  const Image image = randomImage(random, Channels::rgba, Format::f32, randomExtent(random), false);
  EawParameters p = randomParameters(random, 1, false, Format::f16);
  const Reference reference = referenceOf(image, p);
  const Image device = run(graphAround("eaw", image, p.text()), "auto").at("out");
  // The result is in float, but its level was rounded to half.
  const Deviation steps = inHalfSteps(device, reference);
  EXPECT_LE(steps.worst, 1.0) << "steps of half, " << steps.where;
}

}  // namespace
}  // namespace lacuna::test
