// Bodies' view of a mosaic's pattern, under several schedules, after `crop` has moved it.

#include <fmt/ranges.h>

#include <array>

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

constexpr uint32_t left = 3;
constexpr uint32_t top = 5;

class RandomMosaics : public testing::TestWithParam<const char*> {
 protected:
  RandomMosaics() {
    const Extent extent = randomExtent(random_);
    mosaic = randomImage(random_, Channels::mosaic, Format::f32, {extent.width + left, extent.height + top},
                         false);
    mosaic.type.colour = ColourTag::data;
    mosaic.type.pattern = patternFromName(GetParam()).value();
  }

  // The colour of a pixel of the crop; a sensor without colours counts as green.
  double colourAt(int x, int y) const {
    const uint32_t letter = letterAt(
        mosaic.type.pattern, {static_cast<uint32_t>(x + 36) + left, static_cast<uint32_t>(y + 36) + top});
    return letter == 0 ? 1.0 : letter - 1.0;
  }

  double redsAround(int x, int y) const {
    double sum = 0.0;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const int column = x + dx;
        const int row = y + dy;
        const bool isInside = column >= 0 && row >= 0 &&
                              column + static_cast<int>(left) < static_cast<int>(mosaic.type.extent.width) &&
                              row + static_cast<int>(top) < static_cast<int>(mosaic.type.extent.height);
        sum += isInside && colourAt(column, row) == 0.0
                   ? mosaic.at(static_cast<uint32_t>(column) + left, static_cast<uint32_t>(row) + top, 0)
                   : 0.0;
      }
    }
    return sum;
  }

  std::mt19937_64& random_ = testRandom();
  Image mosaic;
};

TEST_P(RandomMosaics, EveryKindOfBodySeesThePattern) {
  MemoryGraph graph = nodesOf(
      {{"in", mosaic}},
      fmt::format("i-memory:in crop letters:01:own o-memory:own\nletters:01:reds "
                  "o-memory:reds\nletters:01:below o-memory:below\nparam:crop:01:x:{}\nparam:crop:01:y:{}\n",
                  left, top));
  const MosaicPattern moved = movedTo(mosaic.type.pattern, {left, top});
  const double repeats = moved == MosaicPattern{} ? 0.0 : isBayer(moved) ? 20.0 : 60.0;
  for (const char* schedule : {"auto", "baseline", "rows4", "tiled"}) {
    SCOPED_TRACE(schedule);
    const auto results = run(graph, schedule);
    EXPECT_EQ(results.at("reds").type.pattern, moved);
    EXPECT_EQ(results.at("own").type.pattern, MosaicPattern{});
    expectPixels(
        results.at("own"), [&](uint32_t x, uint32_t y, int) { return colourAt(int(x), int(y)); }, 0);
    expectPixels(
        results.at("below"),
        [&](uint32_t x, uint32_t y, int) { return repeats + colourAt(int(x) - 7, int(y) - 9); }, 0);
    expectPixels(
        results.at("reds"), [&](uint32_t x, uint32_t y, int) { return redsAround(int(x), int(y)); }, 2e-6);
  }
}

// An invented camera: `mosaic`'s result for a picture, and the numbers beside it.
struct Camera {
  std::array<double, 4> black{256, 260, 250, 512};
  double white = 4095, red = 1.9, blue = 1.4, a = 0.0, b = 0.0;
  std::array<double, 9> matrix{1.5, -0.4, -0.1, -0.2, 1.4, -0.2, 0.05, -0.35, 1.3};

  std::string lines(const std::string& pattern) const {
    return fmt::format(
        "param:mosaic:01:pattern:{}\nparam:mosaic:01:black:{}\nparam:mosaic:01:white:{}\nparam:mosaic:01:red:"
        "{}\n"
        "param:mosaic:01:blue:{}\nparam:mosaic:01:matrix:{}\nparam:mosaic:01:a:{}\nparam:mosaic:01:b:{}\n",
        pattern, fmt::join(black, ":"), white, red, blue, fmt::join(matrix, ":"), a, b);
  }
};

// The balanced colour that becomes this light, by Cramer's rule.
std::array<double, 3> solved(const std::array<double, 9>& m, const std::array<double, 3>& light) {
  const auto determinant = [](const std::array<double, 9>& n) {
    return n[0] * (n[4] * n[8] - n[5] * n[7]) - n[1] * (n[3] * n[8] - n[5] * n[6]) +
           n[2] * (n[3] * n[7] - n[4] * n[6]);
  };
  std::array<double, 3> colour{};
  for (size_t c = 0; c < 3; ++c) {
    std::array<double, 9> replaced = m;
    for (size_t row = 0; row < 3; ++row)
      replaced[3 * row + c] = light[row];
    colour[c] = determinant(replaced) / determinant(m);
  }
  return colour;
}

TEST_P(RandomMosaics, AreMadeOfPictures) {
  const Camera camera;
  Image picture = randomImage(random_, Channels::rgba, Format::f32, mosaic.type.extent, false);
  picture.type.colour = ColourTag::rec2020;
  MemoryGraph graph =
      nodesOf({{"in", picture}}, "i-memory:in mosaic o-memory:made\nmosaic:01:camera o-array:camera\n" +
                                     camera.lines(GetParam()));
  const auto results = run(graph, "auto");
  EXPECT_EQ(results.at("made").type.pattern, mosaic.type.pattern);
  for (uint32_t y = 0; y < picture.type.extent.height; ++y) {
    for (uint32_t x = 0; x < picture.type.extent.width; ++x) {
      const std::array<double, 3> light{picture.at(x, y, 0), picture.at(x, y, 1), picture.at(x, y, 2)};
      const std::array<double, 3> balanced = solved(camera.matrix, light);
      const std::array<double, 3> seen{balanced[0] / camera.red, balanced[1], balanced[2] / camera.blue};
      const uint32_t letter = letterAt(mosaic.type.pattern, {x, y});
      const double share = letter == 0 ? 0.2627002 * light[0] + 0.6779981 * light[1] + 0.0593017 * light[2]
                                       : seen.at(letter - 1);
      const double black = camera.black.at(y % 2 * 2 + x % 2);
      const double wanted = std::clamp(black + share * (camera.white - black), 0.0, camera.white);
      ASSERT_NEAR(results.at("made").at(x, y, 0), wanted, 0.51 + 1e-5 * std::abs(wanted)) << x << " " << y;
      ASSERT_EQ(std::fmod(results.at("made").at(x, y, 0), 1.0), 0.0);
    }
  }
  std::vector<double> numbers{256,  260,  250,  512, 4095, 1.9,  1,     1.4, 1.5,
                              -0.4, -0.1, -0.2, 1.4, -0.2, 0.05, -0.35, 1.3};
  numbers.resize(21);
  for (uint32_t row = 0; row < 6; row += 2) {  // the pattern, two bits a pixel
    numbers.push_back(0);
    for (uint32_t k = 0; k < 12; ++k)
      numbers.back() += letterAt(mosaic.type.pattern, {k % 6, row + k / 6}) * std::exp2(2 * k);
  }
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_NEAR(results.at("camera").at(i, 0, 0), i < numbers.size() ? numbers[i] : 0.0, 1e-6) << i;
}

// Grey, so that each colour has its own level; the share of clipped values is below 1e-6.
TEST_P(RandomMosaics, HaveTheNoiseThatIsAsked) {
  Camera camera;
  camera.black = {1024, 1024, 1024, 1024};
  camera.white = 16383;
  camera.a = 0.004;
  camera.b = 1e-4;
  Image picture = makeImage(Channels::rgba, Format::f32, {600, 500}, ColourTag::rec2020);
  for (uint32_t i = 0; i < 600 * 500; ++i)
    for (int c = 0; c < 3; ++c)
      picture.set(i % 600, i / 600, c, 0.4);
  MemoryGraph graph =
      nodesOf({{"in", picture}}, "i-memory:in mosaic o-memory:made\n" + camera.lines(GetParam()));
  const Image made = run(graph, "auto").at("made");
  std::array<double, 4> sum{}, squares{}, count{};
  for (uint32_t i = 0; i < 600 * 500; ++i) {
    const uint32_t letter = letterAt(made.type.pattern, {i % 600, i / 600});
    const double x = (made.at(i % 600, i / 600, 0) - 1024) / (16383 - 1024);
    sum.at(letter) += x;
    squares.at(letter) += x * x;
    count.at(letter) += 1;
  }
  const std::array<double, 4> level{0.4, 0.4 / camera.red, 0.4, 0.4 / camera.blue};
  for (size_t letter = 0; letter < 4; ++letter) {
    if (count.at(letter) == 0)
      continue;
    const double mean = sum.at(letter) / count.at(letter);
    const double variance = squares.at(letter) / count.at(letter) - mean * mean;
    const double wanted = camera.a * level.at(letter) + camera.b;
    EXPECT_NEAR(mean, level.at(letter), 5 * std::sqrt(wanted / count.at(letter)));
    EXPECT_NEAR(variance, wanted, 0.03 * wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, RandomMosaics,
                         testing::Values("rggb", "grbg", "gbrg", "bggr", "x-trans", "none"),
                         [](const auto& each) {
                           return each.param == std::string("x-trans") ? "xtrans" : each.param;
                         });

}  // namespace
}  // namespace lacuna::test
