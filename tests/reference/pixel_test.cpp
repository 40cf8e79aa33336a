// exposure, colour and noise against their definitions in double precision: 1e-4 relative in f32, one step in
// half.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/reference/random_words.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

using Apply = std::function<void(const double* in, double* out, int x, int y)>;

Picture applied(const Image& image, const Apply& apply) {
  const Picture input = pictureOf(image);
  Picture output = input;
  for (int y = 0; y < input.height; ++y)
    for (int x = 0; x < input.width; ++x)
      apply(input.at(x, y), output.at(x, y), x, y);
  roundTo(output, image.type.format);
  return output;
}

// Alpha is not a colour.
int colourComponents(const Image& image) {
  return std::min(componentCount(image.type.channels), 3);
}

class PixelReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();

  Image anyImage() {
    static const Channels channels[] = {Channels::rgba, Channels::rgb, Channels::y};
    const Format format = GetParam() % 2 == 0 ? Format::f32 : Format::f16;
    return randomImage(random_, channels[GetParam() % 3], format, extentOfCase(GetParam(), random_), false);
  }
};

TEST_P(PixelReference, Exposure) {
  const Image image = anyImage();
  const double stops = uniform(random_, -4.0, 4.0);
  const int colours = colourComponents(image);
  const Picture reference = applied(image, [&](const double* in, double* out, int, int) {
    for (int c = 0; c < colours; ++c)
      out[c] = in[c] * std::exp2(stops);
  });
  const auto graph = graphAround("exposure", image, fmt::format("param:exposure:01:stops:{:.9f}\n", stops));
  expectAgrees(run(graph, "auto").at("out"), reference);
}

TEST_P(PixelReference, Mix) {
  Image image = anyImage();
  const Image other = randomImage(random_, image.type.channels, image.type.format, image.type.extent, false);
  image.set(0, 0, 0, std::nan(""));
  for (const double share : {0.0, uniform(random_, 0.1, 0.9), 1.0}) {
    const Picture filtered = pictureOf(other);
    const Picture reference = applied(image, [&](const double* in, double* out, int x, int y) {
      for (int c = 0; c < componentCount(image.type.channels); ++c) {
        const double b = filtered.at(x, y)[c];
        out[c] = share == 0.0 ? in[c] : std::isfinite(in[c]) ? in[c] + share * (b - in[c]) : b;
      }
    });
    MemoryGraph graph = graphAround(
        "mix", image, fmt::format("i-memory:other other=mix\nparam:mix:01:share:{:.9f}\n", share));
    graph.sources["other"] = other;
    const Image mixed = run(graph, "auto").at("out");
    expectAgrees(mixed, reference);
    if (share == 0.0 || share == 1.0) {
      const std::vector<double> same = pictureOf(share == 0.0 ? image : other).values;
      const std::vector<double> found = pictureOf(mixed).values;
      // The device decides a NaN's bits.
      EXPECT_EQ(std::vector(found.begin() + 1, found.end()), std::vector(same.begin() + 1, same.end()));
      EXPECT_EQ(std::isnan(found[0]), share == 0.0);
    }
  }
}

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix inverse(const Matrix& m) {
  Matrix result;
  double determinant = 0.0;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      const size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      result[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  }
  for (size_t i = 0; i < 3; ++i)
    determinant += m[0][i] * result[i][0];
  for (auto& row : result)
    for (double& value : row)
      value /= determinant;
  return result;
}

std::array<double, 3> times(const Matrix& m, const std::array<double, 3>& v) {
  std::array<double, 3> result{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      result[i] += m[i][j] * v[j];
  return result;
}

// XYZ from linear RGB: the primaries' chromaticities, scaled so that RGB 1, 1, 1 is D65 (SMPTE RP 177).
Matrix xyzFromRgb(const std::array<std::array<double, 2>, 3>& primaries) {
  const std::array<double, 3> white = {0.3127 / 0.3290, 1.0, (1.0 - 0.3127 - 0.3290) / 0.3290};
  Matrix m;
  for (size_t i = 0; i < 3; ++i) {
    const double x = primaries[i][0];
    const double y = primaries[i][1];
    m[0][i] = x / y;
    m[1][i] = 1.0;
    m[2][i] = (1.0 - x - y) / y;
  }
  const auto scale = times(inverse(m), white);
  for (auto& row : m)
    for (size_t i = 0; i < 3; ++i)
      row[i] *= scale[i];
  return m;
}

TEST_P(PixelReference, Colour) {
  const Matrix rec709 = xyzFromRgb({{{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}}});
  const Matrix rec2020 = xyzFromRgb({{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}});
  const bool widening = pick(random_, 0, 1) == 0;
  Image image =
      randomImage(random_, GetParam() % 2 == 0 ? Channels::rgba : Channels::rgb,
                  GetParam() < 2 ? Format::f32 : Format::f16, extentOfCase(GetParam(), random_), false);
  image.type.colour = widening ? ColourTag::rec709 : ColourTag::rec2020;
  const Picture reference = applied(image, [&](const double* in, double* out, int, int) {
    const auto xyz = times(widening ? rec709 : rec2020, {in[0], in[1], in[2]});
    const auto rgb = times(inverse(widening ? rec2020 : rec709), xyz);
    std::copy(rgb.begin(), rgb.end(), out);
  });
  const auto graph =
      graphAround("colour", image,
                  fmt::format("param:colour:01:from:{}\nparam:colour:01:to:{}\n",
                              widening ? "rec709" : "rec2020", widening ? "rec2020" : "rec709"));
  const Image device = run(graph, "auto").at("out");
  EXPECT_EQ(device.type.colour, widening ? ColourTag::rec2020 : ColourTag::rec709);
  // Where components cancel, float's own rounding may be several steps of the remaining half.
  const Deviation d = deviation(device, reference, [&](int, int, int, double b) {
    return image.type.format == Format::f32 ? 1e-4 * std::max(std::abs(b), 0.01)
                                            : std::max(halfStep(b), 1e-6);
  });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

TEST_P(PixelReference, Noise) {
  const Image image = anyImage();
  const double sigma = uniform(random_, 0.001, 0.2);
  const auto seed = static_cast<uint32_t>(pick(random_, 0, 2147483647));
  const int colours = colourComponents(image);
  const auto graph = graphAround(
      "noise", image, fmt::format("param:noise:01:sigma:{:.9f}\nparam:noise:01:seed:{}\n", sigma, seed));
  const auto frames = run(graph, "auto", {{{"in", image}}, {{"in", image}}});
  for (uint32_t frame = 0; frame < 2; ++frame) {
    const Picture reference = applied(image, [&](const double* in, double* out, int x, int y) {
      const auto samples =
          normalSamples(pcg4d({static_cast<uint32_t>(x), static_cast<uint32_t>(y), seed, frame}));
      for (int c = 0; c < colours; ++c)
        out[c] = in[c] + sigma * samples[static_cast<size_t>(c)];
    });
    // Where noise and value cancel, float's own rounding may be several steps of the remaining half.
    const Deviation d = deviation(frames.at(frame).at("out"), reference, [&](int, int, int, double b) {
      return image.type.format == Format::f32 ? 1e-4 * std::max(std::abs(b), 0.01)
                                              : std::max(halfStep(b), 1e-6);
    });
    EXPECT_LE(d.worst, 1.0) << "frame " << frame << ", " << d.where;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, PixelReference, testing::Range(0, 6));

}  // namespace
}  // namespace lacuna::test
