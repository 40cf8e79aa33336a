// Values that filters can't take: mend and restore, and what becomes of such values in the graphs of `lacuna
// denoise`. The right values are those of the wall, the lamp or the colour that a picture was made of.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/pictures/methods.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

constexpr Extent wallExtent{72, 60};
constexpr float infinite = std::numeric_limits<float>::infinity();

void setAll(Image& image, uint32_t x, uint32_t y, double value) {
  for (int c = 0; c < 3; ++c)
    image.set(x, y, c, value);
}

// Noise of a few samples around .2.
Image noisyWall(std::mt19937_64& random, Format format = Format::f32, double light = 0.2) {
  Image image = makeImage(Channels::rgba, format, wallExtent);
  std::gamma_distribution<double> noise(4.0, 0.25 * light);
  for (uint32_t y = 0; y < wallExtent.height; ++y) {
    for (uint32_t x = 0; x < wallExtent.width; ++x) {
      setAll(image, x, y, noise(random));
      image.set(x, y, 3, 1.0);
    }
  }
  return image;
}

Image evenPlane(Channels channels, std::initializer_list<double> value) {
  Image image = makeImage(channels, Format::f32, wallExtent);
  for (uint32_t y = 0; y < wallExtent.height; ++y) {
    for (uint32_t x = 0; x < wallExtent.width; ++x) {
      int c = 0;
      for (const double v : value)
        image.set(x, y, c++, v);
    }
  }
  return image;
}

struct Wall {
  Image colour, albedo = evenPlane(Channels::rgb, {0.5, 0.5, 0.5}),
                normal = evenPlane(Channels::normal, {0.0, 0.0, 1.0}),
                depth = evenPlane(Channels::depth, {3.0});
};

void addLamp(Wall& wall, uint32_t side, double light, bool hasGuides) {
  for (uint32_t y = 30; y < 30 + side; ++y) {
    for (uint32_t x = 30; x < 30 + side; ++x) {
      setAll(wall.colour, x, y, light);
      if (hasGuides)
        setAll(wall.albedo, x, y, 1.0);
    }
  }
}

std::map<std::string, Image> mended(const Wall& wall, const std::string& parameters = {},
                                    const std::string& schedule = "auto") {
  MemoryGraph graph;
  graph.text = parameters + "mend o-memory:out\nmend:01:rest o-memory:rest\n";
  for (const char* name : {"input", "albedo", "normal", "depth"})
    graph.text += fmt::format("i-memory:{0} {0}=mend\n", name);
  graph.sources = {
      {"input", wall.colour}, {"albedo", wall.albedo}, {"normal", wall.normal}, {"depth", wall.depth}};
  return run(graph, schedule);
}

Image denoisedBy(Method method, const Wall& wall, bool hasGuides, double strength = 1.0) {
  Planes planes;
  planes.sceneLinear = planes.inMemory = planes.deep = true;
  planes.albedo = planes.normal = planes.depth = hasGuides;
  const MethodLines lines = methodLines(method, planes, strength);
  MemoryGraph graph;
  graph.text = "module:i-memory:input\n" + lines.text + fmt::format("{} o-memory:out\n", lines.output);
  graph.sources = {{"input", wall.colour}};
  if (hasGuides) {
    graph.text += "module:i-memory:albedo\nmodule:i-memory:normal\nmodule:i-memory:depth\n";
    graph.sources.insert({{"albedo", wall.albedo}, {"normal", wall.normal}, {"depth", wall.depth}});
  }
  return run(graph, "auto").at("out");
}

// The mean of red, green and blue of pixels whose distance from the square is from `least` to below `most`.
double meanAround(const Image& image, uint32_t side, int least, int most) {
  double sum = 0.0;
  int count = 0;
  const auto outside = [&](int v) { return std::max({30 - v, v - 30 - static_cast<int>(side) + 1, 0}); };
  for (int y = 0; y < static_cast<int>(wallExtent.height); ++y) {
    for (int x = 0; x < static_cast<int>(wallExtent.width); ++x) {
      const int distance = std::max(outside(x), outside(y));
      for (int c = 0; c < 3 && distance >= least && distance < most; ++c) {
        sum += image.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
        ++count;
      }
    }
  }
  return sum / count;
}

void expectSum(const Image& output, const Image& rest, const Image& input, double tolerance) {
  for (uint32_t y = 0; y < wallExtent.height; ++y) {
    for (uint32_t x = 0; x < wallExtent.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(output.at(x, y, c) + rest.at(x, y, c), input.at(x, y, c),
                    tolerance * std::max(std::abs(input.at(x, y, c)), 1.0))
            << x << ", " << y;
      }
    }
  }
}

TEST(Mend, RandomNoiseStays) {
  const Wall wall{noisyWall(testRandom())};
  const auto images = mended(wall);
  EXPECT_EQ(images.at("out").words, wall.colour.words);
}

TEST(Mend, RandomNeighboursFillWhatNothingExplains) {
  const Wall clean{noisyWall(testRandom())};
  for (const double value :
       {100.0, 1000.0, -1000.0, 1e20, double(infinite), -double(infinite), std::nan("")}) {
    Wall wall = clean;
    setAll(wall.colour, 30, 30, value);
    setAll(wall.colour, 71, 59, value);  // a corner
    setAll(wall.colour, 50, 10, value);  // two that are near each other
    setAll(wall.colour, 52, 11, value);
    const auto images = mended(wall);
    for (const auto& [x, y] :
         {std::pair(30U, 30U), std::pair(71U, 59U), std::pair(50U, 10U), std::pair(52U, 11U)}) {
      EXPECT_GT(images.at("out").at(x, y, 1), 0.0) << value;
      EXPECT_LT(images.at("out").at(x, y, 1), 1.0) << value;
      EXPECT_EQ(images.at("rest").at(x, y, 1), 0.0) << value;
    }
    EXPECT_EQ(images.at("out").at(31, 30, 1), wall.colour.at(31, 30, 1));
  }
}

// Of eight neighbours the fourth by luminance, or of five at an edge the third.
TEST(Mend, RandomMedianNeighbourFillsALostPixel) {
  Wall wall{noisyWall(testRandom())};
  setAll(wall.colour, 30, 30, std::nan(""));
  setAll(wall.colour, 71, 20, std::nan(""));
  const Image output = mended(wall).at("out");
  for (const auto& [x, y, rank] : {std::tuple(30U, 30U, 3U), std::tuple(71U, 20U, 2U)}) {
    std::vector<std::pair<double, double>> neighbours;  // luminance, green
    for (uint32_t v = y - 1; v <= y + 1; ++v) {
      for (uint32_t u = x - 1; u <= std::min(x + 1, wallExtent.width - 1); ++u) {
        if (u != x || v != y) {
          neighbours.emplace_back(0.2126 * wall.colour.at(u, v, 0) + 0.7152 * wall.colour.at(u, v, 1) +
                                      0.0722 * wall.colour.at(u, v, 2),
                                  wall.colour.at(u, v, 1));
        }
      }
    }
    std::ranges::sort(neighbours);
    EXPECT_EQ(output.at(x, y, 1), neighbours[rank].second) << x << ", " << y;
  }
}

// A block of lost pixels is filled from what is around it.
TEST(Mend, RandomSurroundingsFillAHole) {
  Wall wall{noisyWall(testRandom())};
  addLamp(wall, 12, std::nan(""), false);
  const auto images = mended(wall);
  EXPECT_NEAR(meanAround(images.at("out"), 12, 0, 1), 0.2, 0.05);
}

TEST(Mend, RandomWallsKeepLamps) {
  const Wall dark{noisyWall(testRandom())};
  for (const uint32_t side : {1U, 2U, 4U, 12U}) {
    Wall wall = dark;
    addLamp(wall, side, 1000.0, side == 1);
    const auto images = mended(wall);
    expectSum(images.at("out"), images.at("rest"), wall.colour, 1e-6);
  }
}

// Light that few samples find isn't alone in its surroundings.
TEST(Mend, RandomSparseLightStays) {
  Wall wall{evenPlane(Channels::rgba, {0.0, 0.0, 0.0, 1.0})};
  for (int i = 0; i < 60; ++i)
    setAll(wall.colour, testRandom()() % wallExtent.width, testRandom()() % wallExtent.height, 5.0);
  EXPECT_EQ(mended(wall).at("out").words, wall.colour.words);
}

TEST(Mend, RandomColoursBelowZeroRiseAlikeInAllVariants) {
  Wall wall{noisyWall(testRandom())};
  for (int i = 0; i < 40; ++i)
    wall.colour.set(testRandom()() % wallExtent.width, testRandom()() % wallExtent.height, i % 3, -0.01 * i);
  const auto expected = mended(wall, {}, "depths@8x8");
  for (const char* name : {"depths@32x8", "blocks@8x1", "blocks@32x1"})
    EXPECT_EQ(mended(wall, {}, name).at("out").words, expected.at("out").words) << name;
}

void expectNotNegative(const Image& image) {
  for (uint32_t i = 0; i < wallExtent.width * wallExtent.height * 3; ++i)
    ASSERT_GE(image.at(i / 3 % wallExtent.width, i / 3 / wallExtent.width, static_cast<int>(i % 3)), 0.0);
}

TEST(Mend, RandomNegativeColoursAreLifted) {
  Wall wall{noisyWall(testRandom())};
  for (uint32_t y = 20; y < 50; ++y)
    for (uint32_t x = 10; x < 40; ++x)
      wall.colour.set(x, y, 0, -0.273 + uniform(testRandom(), -0.05, 0.05));
  const auto images = mended(wall);
  expectSum(images.at("out"), images.at("rest"), wall.colour, 1e-6);
  expectNotNegative(images.at("out"));
  EXPECT_EQ(mended(wall, "param:mend:01:lift:false\n").at("out").words, wall.colour.words);
}

// Not even by a rounding error.
TEST(Mend, EvenNegativeColoursAreLifted) {
  Wall wall{evenPlane(Channels::rgba, {-0.1, -0.3, -0.7, 1.0})};
  expectNotNegative(mended(wall).at("out"));
}

// A firefly, or an infinity, changes nothing else.
class FirefliesOfRandomWalls : public testing::TestWithParam<Method> {};

TEST_P(FirefliesOfRandomWalls, DontGlow) {
  const Wall clean{noisyWall(testRandom())};
  for (const auto& [value, strength] : {std::pair(1000.0, 1.0), std::pair(double(infinite), 0.5)}) {
    Wall wall = clean;
    setAll(wall.colour, 30, 30, value);
    const Image output = denoisedBy(GetParam(), wall, true, strength);
    const Image without = denoisedBy(GetParam(), clean, true, strength);
    EXPECT_NEAR(meanAround(output, 1, 1, 8), meanAround(without, 1, 1, 8), 0.004) << value;
    EXPECT_NEAR(meanAround(output, 1, 8, 30), meanAround(without, 1, 8, 30), 0.002) << value;
    EXPECT_NEAR(meanAround(without, 1, 0, 30), 0.2, 0.02);
    EXPECT_LT(output.at(30, 30, 1), 1.0) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, FirefliesOfRandomWalls,
                         testing::Values(Method::eaw, Method::guided, Method::svgf, Method::unet));

TEST(Lamps, OfRandomWallsKeepTheirLight) {
  const Wall dark{noisyWall(testRandom())};
  for (const uint32_t side : {1U, 4U, 12U}) {
    Wall wall = dark;
    addLamp(wall, side, 1000.0, true);
    const Image output = denoisedBy(Method::unet, wall, true);
    EXPECT_NEAR(meanAround(output, side, 0, 1), 1000.0, 50.0) << side;
    EXPECT_NEAR(meanAround(output, side, 8, 30), 0.2, 0.01) << side;
  }
}

// A lamp of which a filter lost a tenth.
TEST(Lamps, DontChangeRandomWallsThroughEnergy) {
  Wall wall{noisyWall(testRandom())};
  Wall filtered{evenPlane(Channels::rgba, {0.2, 0.2, 0.2, 1.0})};
  addLamp(wall, 4, 1000.0, false);
  addLamp(filtered, 4, 900.0, false);
  MemoryGraph graph;
  graph.text =
      "i-memory:in energy o-memory:out\ni-memory:noisy noisy=energy\nparam:energy:01:limit:0.7\n"
      "param:energy:01:caution:0.7\n";
  graph.sources = {{"in", filtered.colour}, {"noisy", wall.colour}};
  const Image output = run(graph, "auto").at("out");
  EXPECT_NEAR(meanAround(output, 4, 8, 30), 0.2, 0.005);
  EXPECT_GT(meanAround(output, 4, 0, 1), 980.0);
}

// Squares of such values don't fit into half floats, nor do quotients by albedo.
TEST(LargeValues, OfRandomWallsStayThroughHalfFloats) {
  for (const std::string module : {"atrous-guided", "svgf"}) {
    Wall wall{noisyWall(testRandom(), Format::f16)};
    addLamp(wall, 12, 6e4, false);
    MemoryGraph graph = graphAround(module, wall.colour, fmt::format("param:{}:01:precision:f16\n", module));
    for (const char* name : {"normal", "depth"})
      graph.text += fmt::format("i-memory:{0} {0}={1}\n", name, module);
    graph.sources.insert({{"normal", wall.normal}, {"depth", wall.depth}});
    if (module == "svgf") {
      graph.text += "i-memory:albedo albedo=svgf\n";
      graph.sources.insert({"albedo", wall.albedo});
    }
    // Its edge has the wall's normal and depth, and bleeds.
    const Image output = run(graph, "auto").at("out");
    EXPECT_NEAR(meanAround(output, 12, 0, 1), 6e4, 6e3) << module;
    EXPECT_LT(meanAround(output, 12, 14, 30), 1.0) << module;
  }
}

// A scene in candelas for each square metre.
TEST(LargeValues, OfRandomScenesBeyondHalfFloatsStay) {
  constexpr double unit = 1e6;
  const Wall wall{noisyWall(testRandom())};
  Wall bright = wall;
  for (uint32_t y = 0; y < wallExtent.height; ++y)
    for (uint32_t x = 0; x < wallExtent.width; ++x)
      setAll(bright.colour, x, y, unit * wall.colour.at(x, y, 0));
  for (const Method method : {Method::unet, Method::svgf, Method::guided}) {
    const double mean = meanAround(denoisedBy(method, wall, true), 1, 0, 40);
    EXPECT_NEAR(meanAround(denoisedBy(method, bright, true), 1, 0, 40) / unit, mean, 0.01 * mean)
        << nameOf(method);
  }
}

TEST(LargeValues, OfASunInARandomSkyStay) {
  Wall wall{noisyWall(testRandom())};
  addLamp(wall, 12, 2e5, false);
  const Image output = denoisedBy(Method::unet, wall, false);
  EXPECT_NEAR(meanAround(output, 12, 0, 1), 2e5, 2e3);
}

TEST(NegativeColours, OfRandomPicturesStay) {
  constexpr std::array greens = {-0.273, 0.673, -0.005};
  std::normal_distribution<double> noise(0.0, 0.02);
  Wall wall{makeImage(Channels::rgba, Format::f16, wallExtent)};
  for (uint32_t y = 0; y < wallExtent.height; ++y) {
    for (uint32_t x = 0; x < wallExtent.width; ++x)
      for (int c = 0; c < 4; ++c)
        wall.colour.set(x, y, c, c == 3 ? 1.0 : greens.at(static_cast<size_t>(c)) + noise(testRandom()));
  }
  for (const Method method : {Method::unet, Method::svgf}) {
    const Image output = denoisedBy(method, wall, false);
    for (int c = 0; c < 3; ++c) {
      double sum = 0.0;
      for (uint32_t i = 0; i < wallExtent.width * wallExtent.height; ++i)
        sum += output.at(i % wallExtent.width, i / wallExtent.width, c);
      EXPECT_NEAR(sum / (wallExtent.width * wallExtent.height), greens.at(static_cast<size_t>(c)), 0.01)
          << nameOf(method);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
