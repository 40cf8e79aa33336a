// The module alpha compared with its definition in double precision, and on renderers' noise: samples with
// alpha 0 or 1.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

using Alphas = std::vector<double>;

class AlphaPlane {
 public:
  AlphaPlane(Alphas values, Extent extent)
      : values_(std::move(values)),
        width_(static_cast<int>(extent.width)),
        height_(static_cast<int>(extent.height)) {}

  double at(int x, int y) const {
    return values_[static_cast<size_t>(std::clamp(y, 0, height_ - 1) * width_ +
                                       std::clamp(x, 0, width_ - 1))];
  }

  // The eigenvalues of the mean of g g^T over a window, the larger one first.
  std::array<double, 2> changes(int x, int y, int radius) const {
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (int j = y - radius; j <= y + radius; ++j) {
      for (int i = x - radius; i <= x + radius; ++i) {
        const double dx = gradient(i, j, 1, 0), dy = gradient(i, j, 0, 1);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
      }
    }
    const double count = std::pow(2 * radius + 1, 2);
    const double middle = (xx + yy) / 2.0, apart = std::hypot((xx - yy) / 2.0, xy);
    return {(middle + apart) / count, std::max(middle - apart, 0.0) / count};
  }

  double filtered(int x, int y) const {
    const double noisy = noisiness(x / 16, y / 16), own = at(x, y);
    double sum = 0.0, squares = 0.0;
    for (int j = -3; j <= 3; ++j) {
      for (int i = -3; i <= 3; ++i) {
        const double d = at(x + i, y + j) - own;
        sum += d / 49.0;
        squares += d * d / 49.0;
      }
    }
    const auto [along, across] = changes(x, y, 3);
    const double noise = 0.75 * std::max(across - 0.1 * along, 0.0), variance = squares - sum * sum;
    return own + noisy * (noise >= variance ? 1.0 : noise / variance) * sum;
  }

 private:
  // The difference of opposite pixels around one; beyond the edges the last pixels repeat.
  double gradient(int x, int y, int i, int j) const { return at(x + i, y + j) - at(x - i, y - j); }

  // The noisiness of a workgroup, from blocks of 8 x 8 pixels: its own four, and two more on each side.
  double noisiness(int column, int row) const {
    double along = 0.0, across = 0.0;
    for (int y = std::max(16 * row - 16, 0); y < std::min(16 * row + 32, height_); ++y) {
      for (int x = std::max(16 * column - 16, 0); x < std::min(16 * column + 32, width_); ++x) {
        const auto c = changes(x, y, 2);
        along += std::sqrt(c[0]);
        across += std::sqrt(c[1]);
      }
    }
    const double t = along > 0.0 ? std::clamp((across / along - 0.5) / 0.12, 0.0, 1.0) : 0.0;
    return t * t * (3.0 - 2.0 * t);
  }

  Alphas values_;
  int width_, height_;
};

class AlphaFilter : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();

  Alphas filtered(const Alphas& alphas, Extent extent, Format format = Format::f32) {
    Image image = randomImage(random_, Channels::rgba, format, extent, false);
    for (uint32_t i = 0; i < extent.width * extent.height; ++i)
      image.set(i % extent.width, i / extent.width, 3, alphas[i]);
    const Image out = run(graphAround("alpha", image, ""), "auto").at("out");
    Alphas result;
    for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
      const uint32_t x = i % extent.width, y = i / extent.width;
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(out.at(x, y, c), image.at(x, y, c)) << "colour stays";
      result.push_back(out.at(x, y, 3));
    }
    return result;
  }

  // Cycles' samples that don't cover have 6e-8 now and then.
  double sampled(double cover, int samples) {
    double sum = 0.0;
    for (int s = 0; s < samples; ++s)
      sum += uniform(random_, 0.0, 1.0) < cover ? 1.0 : pick(random_, 0, 2) == 0 ? 0x1p-24 : 0.0;
    return sum / samples;
  }
};

constexpr Extent pictureExtent{140, 100};

template <typename F>
Alphas drawn(const F& coverAt) {
  Alphas alphas;
  for (uint32_t y = 0; y < pictureExtent.height; ++y) {
    for (uint32_t x = 0; x < pictureExtent.width; ++x) {
      double sum = 0.0;
      for (int k = 0; k < 64; ++k)
        sum += coverAt(x + (k % 8 + 0.5) / 8.0, y + (k / 8 + 0.5) / 8.0) / 64.0;
      alphas.push_back(sum);
    }
  }
  return alphas;
}

double disk(double x, double y) {
  return std::hypot(x - 60.0, y - 50.0) < 35.0 ? 1.0 : 0.0;
}
double fog(double x, double y) {
  return std::exp(-(std::pow(x - 70.0, 2) + std::pow(y - 50.0, 2)) / 900.0);
}
double blurredEdge(double x, double y) {
  return std::clamp((std::hypot(x - 70.0, y - 50.0) - 15.0) / 25.0, 0.0, 1.0);
}

double rootMeanSquare(const Alphas& a, const Alphas& b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += std::pow(a[i] - b[i], 2) / static_cast<double>(a.size());
  return std::sqrt(sum);
}

TEST_P(AlphaFilter, RandomAlphaIsFilteredAsDefined) {
  const Extent extent = GetParam() == 2 ? Extent{61, 83} : extentOfCase(GetParam(), random_);
  Alphas alphas(extent.width * extent.height);
  for (size_t i = 0; i < alphas.size(); ++i) {
    const auto x = static_cast<double>(i % extent.width), y = static_cast<double>(i / extent.width);
    alphas[i] = static_cast<float>(sampled(std::max(disk(x, y), fog(x, y)), 1 + GetParam()));
  }
  const Alphas device = filtered(alphas, extent);
  const AlphaPlane plane(alphas, extent);
  for (size_t i = 0; i < alphas.size(); ++i) {
    const auto x = static_cast<int>(i % extent.width), y = static_cast<int>(i / extent.width);
    ASSERT_NEAR(device[i], plane.filtered(x, y), 2e-5) << x << ", " << y;
  }
}

TEST_P(AlphaFilter, RandomNoiseIsHalvedAtLeast) {
  const int samples = std::array{1, 2, 4, 16}[static_cast<size_t>(GetParam())];
  for (const auto& cover : {fog, blurredEdge}) {
    const Alphas exact = drawn(cover);
    Alphas noisy;
    for (const double alpha : exact)
      noisy.push_back(sampled(alpha, samples));
    const Alphas clean = filtered(noisy, pictureExtent, Format::f16);
    EXPECT_LT(rootMeanSquare(clean, exact), 0.5 * rootMeanSquare(noisy, exact)) << samples;
    for (size_t i = 0; i < exact.size(); ++i)
      ASSERT_TRUE(clean[i] >= 0.0 && clean[i] <= 1.0);
  }
}

// Drawn or converged alpha stays bit for bit: edges, soft ones, too, and areas of full or no cover.
TEST_P(AlphaFilter, CleanAlphaStays) {
  const auto cover = std::array{disk, blurredEdge, fog,
                                +[](double, double) { return 1.0; }}[static_cast<size_t>(GetParam())];
  Alphas alphas = drawn(cover);
  for (double& alpha : alphas)
    alpha = static_cast<float>(alpha);
  EXPECT_EQ(filtered(alphas, pictureExtent), alphas);
}

// In noise, alpha that is 0 or 1 in its whole surroundings stays exact.
TEST_P(AlphaFilter, RandomCoverAroundStays) {
  Alphas alphas(pictureExtent.width * pictureExtent.height, GetParam() % 2);
  for (uint32_t y = 0; y < pictureExtent.height; ++y)
    for (uint32_t x = 0; x < 70; ++x)
      alphas[y * pictureExtent.width + x] = sampled(0.5, 1);
  const Alphas clean = filtered(alphas, pictureExtent);
  EXPECT_NE(clean, alphas);
  for (uint32_t i = 0; i < clean.size(); ++i)
    if (i % pictureExtent.width >= 73)
      ASSERT_EQ(clean[i], GetParam() % 2);
}

// Values that aren't valid alpha stay, and don't spread.
TEST_P(AlphaFilter, RandomNumbersThatAreNoCoverStay) {
  Alphas alphas(pictureExtent.width * pictureExtent.height);
  const double wrong[] = {std::nan(""), -0.5, 1.5, 1e30};
  for (size_t i = 0; i < alphas.size(); ++i)
    alphas[i] = i % 37 == 0 ? wrong[i / 37 % 4] : sampled(0.5, 2);
  const Alphas clean = filtered(alphas, pictureExtent);
  for (size_t i = 0; i < alphas.size(); ++i)
    if (i % 37 == 0)
      ASSERT_TRUE(std::isnan(alphas[i]) ? std::isnan(clean[i]) : clean[i] == static_cast<float>(alphas[i]));
    else
      ASSERT_TRUE(clean[i] >= 0.0 && clean[i] <= 1.0) << clean[i];
}

INSTANTIATE_TEST_SUITE_P(Random, AlphaFilter, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
