// resize and crop against plain versions in double precision. resize: 1e-5 of the largest value, and one step
// of half where half is stored; crop: bit for bit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

enum class ResizeFilter { bicubic, bilinear, area, nearest };
const char* const filterNames[] = {"bicubic", "bilinear", "area", "nearest"};

// Keys 1981, equation 15, a = -1/2.
double keys(double t) {
  const double a = std::abs(t);
  if (a < 1.0)
    return 1.5 * a * a * a - 2.5 * a * a + 1.0;
  return a < 2.0 ? -0.5 * a * a * a + 2.5 * a * a - 4.0 * a + 2.0 : 0.0;
}

struct Resampling {
  ResizeFilter filter = ResizeFilter::bicubic;
  bool antialias = true;

  double radius(double ratio) const {
    const double stretch = antialias ? std::max(ratio, 1.0) : 1.0;
    return filter == ResizeFilter::bicubic    ? 2.0 * stretch
           : filter == ResizeFilter::bilinear ? stretch
                                              : 0.5 * (ratio + 1.0);
  }
  double weight(double d, double ratio) const {
    const double stretch = antialias ? std::max(ratio, 1.0) : 1.0;
    switch (filter) {
      case ResizeFilter::bicubic:
        return keys(d / stretch);
      case ResizeFilter::bilinear:
        return std::max(0.0, 1.0 - std::abs(d) / stretch);
      default:
        return std::max(0.0, std::min({ratio, 1.0, 0.5 * (ratio + 1.0) - std::abs(d)}));
    }
  }
};

// The input pixels of an output pixel along an axis, with their weights, of sum 1. Positions are rational
// numbers with the denominator 2 `to`, so that those exactly on a border don't depend on rounding.
std::vector<std::pair<int, double>> taps(const Resampling& how, int64_t x, int64_t from, int64_t to) {
  const int64_t numerator = (2 * x + 1) * from - to;  // of u, over 2 to
  if (how.filter == ResizeFilter::nearest)
    return {{static_cast<int>((2 * x + 1) * from / (2 * to)), 1.0}};
  const double ratio = static_cast<double>(from) / static_cast<double>(to);
  const double u = static_cast<double>(numerator) / static_cast<double>(2 * to);
  std::vector<std::pair<int, double>> result;
  double sum = 0.0;
  for (auto k = static_cast<int64_t>(std::floor(u - how.radius(ratio))); k <= u + how.radius(ratio) + 1.0;
       ++k) {
    const double w =
        how.weight(static_cast<double>(2 * to * k - numerator) / static_cast<double>(2 * to), ratio);
    if (std::abs(w) > 1e-9) {
      result.emplace_back(static_cast<int>(std::clamp<int64_t>(k, 0, from - 1)), w);
      sum += w;
    }
  }
  for (auto& [k, w] : result)
    w /= sum;
  return result;
}

// Columns, then rows.
Picture resized(const Picture& input, const Resampling& how, Extent to) {
  Picture output(static_cast<int>(to.width), static_cast<int>(to.height), input.components);
  const auto components = static_cast<size_t>(input.components);
  const bool hasAlpha = components == 4;
  Picture between(output.width, input.height, input.components);
  const auto gather = [&](const Picture& in, bool down, int x, int y, double* sum) {
    const int64_t from = down ? in.height : in.width;
    for (const auto& [k, w] : taps(how, down ? y : x, from, down ? output.height : output.width)) {
      const double* v = down ? in.at(x, k) : in.at(k, y);
      for (size_t c = 0; c < components; ++c)
        sum[c] += w * v[c];
    }
  };
  for (int y = 0; y < between.height; ++y)
    for (int x = 0; x < between.width; ++x)
      gather(input, false, x, y, between.at(x, y));
  for (int y = 0; y < output.height; ++y) {
    for (int x = 0; x < output.width; ++x) {
      double* v = output.at(x, y);
      gather(between, true, x, y, v);
      v[components - 1] = hasAlpha ? std::clamp(v[3], 0.0, 1.0) : v[components - 1];
    }
  }
  return output;
}

double largest(const Picture& picture) {
  double most = 0.0;
  for (const double v : picture.values)
    most = std::max(most, std::abs(v));
  return most;
}

std::string parametersOf(const Resampling& how, Extent to) {
  return fmt::format(
      "param:resize:01:filter:{}\nparam:resize:01:antialias:{}\nparam:resize:01:width:{}\n"
      "param:resize:01:height:{}\n",
      filterNames[static_cast<size_t>(how.filter)], how.antialias, to.width, to.height);
}

class ResizeReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Format format_ = GetParam() % 2 == 0 ? Format::f32 : Format::f16;

  // Enlarged, reduced, one of each along the axes, by large factors, and to a single pixel.
  void extents(Extent& from, Extent& to) {
    static const Extent cases[][2] = {{{1, 1}, {9, 4}},     {{17, 1}, {40, 1}},   {{127, 509}, {53, 600}},
                                      {{90, 61}, {90, 61}}, {{64, 48}, {16, 12}}, {{4096, 1}, {37, 3}},
                                      {{3, 1021}, {11, 1}}};
    from = cases[GetParam()][0];
    to = cases[GetParam()][1];
  }

  Image randomOf(Channels channels, Extent extent) {
    Image image = randomImage(random_, channels, format_, extent, false);
    for (uint32_t y = 0; y < extent.height && channels == Channels::rgba; ++y) {
      for (uint32_t x = 0; x < extent.width; ++x) {
        const double alphas[] = {0.0, 0x1p-24, 1.0, uniform(random_, 0.0, 1.0)};  // as of renders
        image.set(x, y, 3, alphas[pick(random_, 0, 3)]);
      }
    }
    return image;
  }
};

TEST_P(ResizeReference, EveryFilter) {
  Extent from, to;
  extents(from, to);
  static const Channels channels[] = {Channels::rgba, Channels::y, Channels::rgb, Channels::depth,
                                      Channels::normal};
  const Image image = randomOf(channels[GetParam() % 5], from);
  for (int f = 0; f < 4; ++f) {
    const Resampling how{static_cast<ResizeFilter>(f), f >= 2 || pick(random_, 0, 1) == 0};
    SCOPED_TRACE(parametersOf(how, to));
    const Image device = run(graphAround("resize", image, parametersOf(how, to)), "auto").at("out");
    Picture reference = resized(pictureOf(image), how, to);
    const double most = largest(reference);
    roundTo(reference, format_);
    const Deviation d = deviation(device, reference, [&](int, int, int, double b) {
      return 1e-5 * most + (format_ == Format::f16 ? halfStep(b) : 0.0);
    });
    EXPECT_LE(d.worst, 1.0) << d.where;
  }
}

TEST_P(ResizeReference, EvenStaysEvenAndItsOwnSizeChangesNothing) {
  Extent from, to;
  extents(from, to);
  Image even = makeImage(Channels::rgba, format_, from);
  const double colour[] = {uniform(random_, 0.0, 9.0), uniform(random_, 0.0, 0.1),
                           uniform(random_, -1.0, 1.0), 1.0};
  for (uint32_t y = 0; y < from.height; ++y) {
    for (uint32_t x = 0; x < from.width; ++x)
      for (int c = 0; c < 4; ++c)
        even.set(x, y, c, colour[c]);
  }
  const Resampling how{static_cast<ResizeFilter>(pick(random_, 0, 3)), pick(random_, 0, 1) == 0};
  SCOPED_TRACE(parametersOf(how, to));
  const Image device = run(graphAround("resize", even, parametersOf(how, to)), "auto").at("out");
  for (uint32_t y = 0; y < to.height; ++y) {
    for (uint32_t x = 0; x < to.width; ++x) {
      for (int c = 0; c < 4; ++c) {
        const double wanted = even.at(0, 0, c);
        ASSERT_NEAR(device.at(x, y, c), wanted, format_ == Format::f16 ? 0.0 : 4e-6 * std::abs(wanted));
      }
    }
  }
  const Image image = randomImage(random_, Channels::y, format_, from, true);
  const Image same = run(graphAround("resize", image, parametersOf(how, {0, 0})), "auto").at("out");
  for (uint32_t y = 0; y < from.height; ++y) {
    for (uint32_t x = 0; x < from.width; ++x) {
      const double value = image.at(x, y, 0);
      // A NaN's payload is the driver's.
      ASSERT_TRUE(same.at(x, y, 0) == value || (std::isnan(same.at(x, y, 0)) && std::isnan(value)))
          << same.at(x, y, 0) << " at " << x << "," << y << " is not " << value;
    }
  }
}

// Values that aren't finite reach exactly the pixels whose filter covers them.
TEST_P(ResizeReference, NanStaysWithinTheFootprint) {
  Extent from, to;
  extents(from, to);
  const Image clean = randomOf(Channels::rgb, from);
  Image dirty = clean;
  const int px = pick(random_, 0, static_cast<int>(from.width) - 1);
  const int py = pick(random_, 0, static_cast<int>(from.height) - 1);
  dirty.set(static_cast<uint32_t>(px), static_cast<uint32_t>(py), 1, std::nan(""));
  const Resampling how{static_cast<ResizeFilter>(pick(random_, 0, 3)), true};
  SCOPED_TRACE(parametersOf(how, to));
  const Image a = run(graphAround("resize", clean, parametersOf(how, to)), "auto").at("out");
  const Image b = run(graphAround("resize", dirty, parametersOf(how, to)), "auto").at("out");
  const auto covers = [&](int at, uint32_t outputAt, uint32_t in, uint32_t out) {
    const auto all = taps(how, outputAt, in, out);
    return std::any_of(all.begin(), all.end(), [&](const auto& tap) { return tap.first == at; });
  };
  for (uint32_t y = 0; y < to.height; ++y) {
    for (uint32_t x = 0; x < to.width; ++x) {
      if (covers(px, x, from.width, to.width) && covers(py, y, from.height, to.height))
        continue;
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(a.at(x, y, c), b.at(x, y, c)) << x << " " << y << " from " << px << " " << py;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, ResizeReference, testing::Range(0, 7));

class CropReference : public testing::TestWithParam<int> {};

TEST_P(CropReference, PixelsAreCopied) {
  std::mt19937_64& random = testRandom();
  static const Channels channels[] = {Channels::rgba, Channels::mv, Channels::normal, Channels::y};
  const Extent from = extentOfCase(GetParam(), random);
  const Image image =
      randomImage(random, channels[GetParam()], GetParam() % 2 == 0 ? Format::f16 : Format::f32, from, true);
  const auto x = static_cast<uint32_t>(pick(random, 0, static_cast<int>(from.width) - 1));
  const auto y = static_cast<uint32_t>(pick(random, 0, static_cast<int>(from.height) - 1));
  const auto width = static_cast<uint32_t>(pick(random, 0, static_cast<int>(from.width - x)));
  const std::string parameters =
      fmt::format("param:crop:01:x:{}\nparam:crop:01:y:{}\nparam:crop:01:width:{}\n", x, y, width);
  SCOPED_TRACE(parameters);
  const Image device = run(graphAround("crop", image, parameters), "auto").at("out");
  const Extent wanted{width > 0 ? width : from.width - x, from.height - y};
  ASSERT_EQ(device.type.extent, wanted);
  for (uint32_t v = 0; v < wanted.height; ++v) {
    for (uint32_t u = 0; u < wanted.width; ++u) {
      for (int c = 0; c < componentCount(image.type.channels); ++c) {
        const double a = device.at(u, v, c);
        const double b = image.at(x + u, y + v, c);
        ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
            << u << " " << v << ": " << a << ", not " << b;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CropReference, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
