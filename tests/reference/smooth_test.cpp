// box and gaussian against direct sums in double precision: within a few roundings of float and half a step
// of the image's format, since that is rounded to once.

#include "tests/reference/smooth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lacuna::test {
namespace {

const Format smoothFormats[] = {Format::u8, Format::u16, Format::f16, Format::f32};
const Channels smoothChannels[] = {Channels::rgba, Channels::y, Channels::rgb, Channels::normal,
                                   Channels::mv};

void expectSmoothed(const Image& device, const Smoothed& reference) {
  const Deviation d = deviation(device, reference.mean, [&](int x, int y, int c, double b) {
    const double size = reference.size.at(x, y)[c];
    // Unchanged values are exactly unchanged.
    return size == 0.0 ? 1e-12 : 4e-6 * size + 0.501 * stepOf(device.type.format, b);
  });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

// In small images all pixels are near a border; larger radii wrap around more than once.
const Extent smoothExtents[] = {{1, 1}, {17, 1}, {1, 33}, {2, 5}, {70, 66}, {127, 509}};

class SmoothReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = smoothExtents[GetParam()];
  // The combination of channels, format and border is the same for all extents, so that each pipeline
  // compiles once.
  std::mt19937_64 turnRandom_ = sharedRandom("smooth");
  int turn_ = pick(turnRandom_, 0, 99);

  Image image(Format format, Channels channels) {
    const bool floats = format == Format::f16 || format == Format::f32;
    return randomImage(random_, channels, format, extent_, floats && pick(random_, 0, 1) == 0);
  }

  void check(const Image& input, const std::string& module, const std::string& parameters, int radius,
             Border border, const SquareWeight& weight) {
    const std::string text = fmt::format("{1}param:{0}:01:border:{2}\n", module, parameters,
                                         borderNames[static_cast<size_t>(border)]);
    SCOPED_TRACE(fmt::format("{} {}\n{}", print(input.type), radius, text));
    const Image device = run(graphAround(module, input, text), "auto").at("out");
    ASSERT_EQ(device.type, input.type);
    expectSmoothed(device, smoothed(pictureOf(input), radius, border, weight));
  }

  void checkBox(const Image& input, Border border, int radius) {
    check(input, "box", fmt::format("param:box:01:radius:{}\n", radius), radius, border, boxWeight);
  }

  // radius 0: as sigma says.
  void checkGaussian(const Image& input, Border border, double sigma, int radius) {
    const int reach = radius > 0 ? radius : std::min(static_cast<int>(std::ceil(3.0 * sigma)), 31);
    check(input, "gaussian",
          fmt::format("param:gaussian:01:sigma:{}\nparam:gaussian:01:radius:{}\n", sigma, radius), reach,
          border, gaussianWeight(sigma));
  }
};

TEST_P(SmoothReference, EveryFormatAndBorder) {
  const bool isLarge = extent_.width * extent_.height > 10000;
  int turn = turn_;
  for (const Format format : smoothFormats) {
    const Border only = static_cast<Border>(pick(random_, 0, 3));
    for (int b = 0; b < 4; ++b, ++turn) {
      if (isLarge && b != static_cast<int>(only))
        continue;
      const Image input = image(format, smoothChannels[turn % 5]);
      checkBox(input, static_cast<Border>(b), pick(random_, 1, isLarge ? 9 : 31));
      const double sigma = 0.001 * pick(random_, 300, isLarge ? 4000 : 16000);
      checkGaussian(input, static_cast<Border>(b), sigma,
                    turn % 2 == 0 ? 0 : pick(random_, 1, isLarge ? 9 : 31));
    }
  }
}

TEST_P(SmoothReference, LeastAndLargestRadius) {
  const Image input = image(Format::f32, Channels::y);
  const auto border = static_cast<Border>(turn_ % 4);
  for (const int radius : {1, 31}) {
    checkBox(input, border, radius);
    checkGaussian(input, border, radius / 3.0, radius);
  }
  checkGaussian(input, border, 0.1, 0);
  checkGaussian(input, border, 1000.0, 0);  // all but a box
}

TEST_P(SmoothReference, Iterations) {
  const bool isLarge = extent_.width * extent_.height > 10000;
  for (int b = 0; b < 4; ++b) {
    const Image input = image(smoothFormats[(turn_ + b) % 4], smoothChannels[(turn_ + b) % 5]);
    const auto border = static_cast<Border>(b);
    const int radius = pick(random_, 1, isLarge ? 2 : 31);
    const int iterations = pick(random_, 2, isLarge || extent_.height > 60 ? 3 : 16);
    const std::string text =
        fmt::format("param:box:01:radius:{}\nparam:box:01:iterations:{}\nparam:box:01:border:{}\n", radius,
                    iterations, borderNames[b]);
    SCOPED_TRACE(fmt::format("{}\n{}", print(input.type), text));
    const Image device = run(graphAround("box", input, text), "auto").at("out");
    ASSERT_EQ(device.type, input.type);
    expectSmoothed(device, smoothedAgain(pictureOf(input), radius, border, boxWeight, iterations));
  }
}

// All pixels the same: they stay, whatever the border.
TEST_P(SmoothReference, EvenStaysEven) {
  for (const Format format : {Format::u8, Format::u16, Format::f16}) {
    Image input = makeImage(Channels::rgb, format, extent_);
    const double colour[] = {uniform(random_, 0.0, 1.0), uniform(random_, 0.0, 0.1), 1.0};
    for (uint32_t y = 0; y < extent_.height; ++y) {
      for (uint32_t x = 0; x < extent_.width; ++x)
        for (int c = 0; c < 3; ++c)
          input.set(x, y, c, colour[c]);
    }
    for (const char* module : {"box", "gaussian"}) {
      const std::string text =
          fmt::format("param:{0}:01:radius:{1}\nparam:{0}:01:border:{2}\n", module, pick(random_, 1, 31),
                      borderNames[(turn_ + static_cast<int>(format)) % 4]);
      SCOPED_TRACE(fmt::format("{}\n{}", print(input.type), text));
      const Picture wanted = pictureOf(input);
      const Deviation d = deviation(run(graphAround(module, input, text), "auto").at("out"), wanted,
                                    [](int, int, int, double) { return 1e-12; });
      EXPECT_LE(d.worst, 1.0) << d.where;
    }
  }
}

TEST_P(SmoothReference, WithoutParameters) {
  const Image input = image(Format::f32, Channels::rgba);
  const Picture picture = pictureOf(input);
  expectSmoothed(run(graphAround("box", input, ""), "auto").at("out"),
                 smoothed(picture, 1, Border::reflect101, boxWeight));
  expectSmoothed(run(graphAround("gaussian", input, ""), "auto").at("out"),
                 smoothed(picture, 6, Border::reflect101, gaussianWeight(2.0)));
}

// One bright pixel becomes the kernel: that of 5x5 with sigma 1 as printed in section 2.2, without its
// factor.
TEST(SmoothPrinted, KernelOfSigmaOne) {
  const double printed[5][5] = {{0.0029150, 0.0130642, 0.0215393, 0.0130642, 0.0029150},
                                {0.0130642, 0.0585498, 0.0965324, 0.0585498, 0.0130642},
                                {0.0215393, 0.0965324, 0.1591549, 0.0965324, 0.0215393},
                                {0.0130642, 0.0585498, 0.0965324, 0.0585498, 0.0130642},
                                {0.0029150, 0.0130642, 0.0215393, 0.0130642, 0.0029150}};
  double sum = 0.0;
  for (const auto& row : printed)
    for (const double weight : row)
      sum += weight;
  Image input = makeImage(Channels::y, Format::f32, {9, 8});
  input.set(4, 3, 0, 1.0);
  const Image device =
      run(graphAround("gaussian", input, "param:gaussian:01:sigma:1\nparam:gaussian:01:radius:2\n"), "auto")
          .at("out");
  for (uint32_t y = 0; y < 8; ++y) {
    for (uint32_t x = 0; x < 9; ++x) {
      const bool covers = x >= 2 && x <= 6 && y >= 1 && y <= 5;
      EXPECT_NEAR(device.at(x, y, 0), covers ? printed[y - 1][x - 2] / sum : 0.0, 2e-7) << x << " " << y;
    }
  }
}

// The variances of repeated boxes add up, and the result approaches the Gaussian of that variance: within 5%
// of its peak (an eighth of their excess kurtosis, -1.3 / 8, in each direction makes 4.1%).
TEST(SmoothPrinted, BoxesComeNearAGaussian) {
  Image input = makeImage(Channels::y, Format::f32, {81, 81});
  input.set(40, 40, 0, 1.0);
  const Image boxes =
      run(graphAround("box", input, "param:box:01:radius:2\nparam:box:01:iterations:8\n"), "auto").at("out");
  const double sigma = std::sqrt(8 * 2 * 3 / 3.0);
  const Image gaussian =
      run(graphAround("gaussian", input, fmt::format("param:gaussian:01:sigma:{}\n", sigma)), "auto")
          .at("out");
  const double peak = gaussian.at(40, 40, 0);
  const Deviation d =
      deviation(boxes, pictureOf(gaussian), [&](int, int, int, double) { return 0.05 * peak; });
  EXPECT_LE(d.worst, 1.0) << d.where;
  EXPECT_GT(d.worst, 0.1) << "all but equal: these are two filters";
}

INSTANTIATE_TEST_SUITE_P(RandomExtents, SmoothReference, testing::Range(0, 6));

}  // namespace
}  // namespace lacuna::test
