// rawprep, demosaic, camera and sharpen against their double-precision versions, of all patterns; and
// schedules against each other.

#include "tests/reference/demosaic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/reference/rawprep.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

const char* const patterns[] = {"rggb", "grbg", "gbrg", "bggr", "x-trans", "none"};
const Extent mosaicSizes[] = {{1, 1}, {17, 1}, {2, 2}, {127, 509}};

class RawReference : public testing::TestWithParam<std::tuple<const char*, int>> {
 protected:
  std::mt19937_64& random_ = testRandom();
  MosaicPattern pattern_ = patternFromName(std::get<0>(GetParam())).value();
  Extent extent_ = mosaicSizes[std::get<1>(GetParam())];

  Image mosaic(Format format = Format::f32) {
    Image image = randomImage(random_, Channels::mosaic, format, extent_, false);
    image.type.pattern = pattern_;
    return image;
  }
};

std::map<std::string, Image> runAround(const std::string& module, const Image& image,
                                       const std::string& parameters, const std::string& schedule = "auto") {
  return run(graphAround(module, image, parameters), schedule);
}

// Three of four components; the fourth is 1.
void expectColours(const Image& device, const Picture& reference, double tolerance) {
  Picture four(reference.width, reference.height, 4);
  for (size_t i = 0; i < four.values.size(); ++i)
    four.values[i] = i % 4 == 3 ? 1.0 : reference.values[i / 4 * 3 + i % 4];
  const Deviation d = deviation(
      device, four, [&](int, int, int, double b) { return tolerance * std::max(std::abs(b), 0.1); });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

TEST_P(RawReference, Demosaic) {
  const Image image = mosaic();
  const double offset = pick(random_, 0, 1) == 0 ? 0.001 : 0.05;
  for (const char* precision : {"f32", "f16"}) {
    SCOPED_TRACE(precision);
    const Image device =
        runAround(
            "demosaic", image,
            fmt::format("param:demosaic:01:offset:{}\nparam:demosaic:01:precision:{}\n", offset, precision))
            .at("out");
    expectColours(device, demosaiced(pictureOf(image), pattern_, offset),
                  precision == std::string("f32") ? 2e-4 : 3e-2);
  }
}

// Lines of orange on blue, where colours are independent, beside grey texture, where they aren't.
TEST_P(RawReference, DemosaicOfThinLines) {
  Image image = mosaic();
  const double line[] = {0.8, 0.2, 0.01}, ground[] = {0.02, 0.05, 0.6};
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      const int c = colourAt(pattern_, static_cast<int>(x), static_cast<int>(y));
      const double distance = std::abs(std::remainder(0.4 * x - 0.9 * y, 9.0));
      const double share = std::clamp(1.4 - distance, 0.0, 1.0);
      const double light = share * line[c] + (1.0 - share) * ground[c];
      image.set(x, y, 0, y < 200 ? light : 0.5 * image.at(x, y, 0) + (y < 350 ? light : 0.0));
    }
  }
  const Image device = runAround("demosaic", image, "param:demosaic:01:precision:f32\n").at("out");
  expectColours(device, demosaiced(pictureOf(image), pattern_, 0.001), 2e-4);
}

TEST_P(RawReference, HasTheSameBitsUnderAllSchedules) {
  const Image image = mosaic(Format::f16);
  for (const char* module : {"demosaic", "rawprep"}) {
    SCOPED_TRACE(module);
    const std::string parameters = module == std::string("rawprep") ? "param:rawprep:01:white:0.8\n" : "";
    const Image baseline = runAround(module, image, parameters, "baseline").at("out");
    for (const char* schedule : {"rows4", "tiled"})
      EXPECT_EQ(runAround(module, image, parameters, schedule).at("out").words, baseline.words) << schedule;
  }
}

TEST_P(RawReference, HalfSizeIsTheMeanOfEachColour) {
  const Image image = mosaic();
  const Image half =
      runAround("demosaic", image, "param:demosaic:01:size:half\nparam:demosaic:01:precision:f32\n")
          .at("out");
  ASSERT_EQ(half.type.extent, (Extent{(extent_.width + 1) / 2, (extent_.height + 1) / 2}));
  for (uint32_t y = 0; y < half.type.extent.height; ++y) {
    for (uint32_t x = 0; x < half.type.extent.width; ++x) {
      double sum[3]{}, count[3]{};
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t column = 2 * x + k % 2, row = 2 * y + k / 2;
        if (column < extent_.width && row < extent_.height) {
          const int c = colourAt(pattern_, static_cast<int>(column), static_cast<int>(row));
          sum[c] += image.at(column, row, 0);
          count[c] += 1.0;
        }
      }
      for (int c = 0; c < 3; ++c) {
        ASSERT_TRUE(std::isfinite(half.at(x, y, c)));
        if (count[c] > 0.0)
          ASSERT_NEAR(half.at(x, y, c), sum[c] / count[c], 1e-6) << x << " " << y << " " << c;
      }
    }
  }
}

std::string textOf(const Sensor& s) {
  return fmt::format(
      "param:rawprep:01:black_00:{}\nparam:rawprep:01:black_10:{}\nparam:rawprep:01:black_01:{}\n"
      "param:rawprep:01:black_11:{}\nparam:rawprep:01:white:{}\nparam:rawprep:01:red:{}\n"
      "param:rawprep:01:green:{}\nparam:rawprep:01:blue:{}\nparam:rawprep:01:precision:f32\n"
      "param:rawprep:01:noise_a:{}\nparam:rawprep:01:noise_b:{}\n",
      s.black[0], s.black[1], s.black[2], s.black[3], s.white, s.gains[0], s.gains[1], s.gains[2], s.noiseA,
      s.noiseB);
}

// A tenth of the pixels is far above white, single ones or areas.
void addHighlights(Image& image, std::mt19937_64& random) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y) {
    for (uint32_t x = 0; x < image.type.extent.width; ++x) {
      const bool isFull = pick(random, 0, 30) == 0 || (x / 8 + y / 8) % 7 == 0;
      image.set(x, y, 0,
                isFull                     ? uniform(random, 0.9, 0.95)
                : pick(random, 0, 40) == 0 ? 0.05
                                           : image.at(x, y, 0));
    }
  }
}

void expectMosaic(const Image& device, const Picture& reference) {
  // A pixel that is just full in one may be just below full in the other.
  const Deviation d =
      deviation(device, reference, [](int, int, int, double b) { return 1e-4 * std::max(std::abs(b), 0.1); });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

TEST_P(RawReference, Rawprep) {
  Image image = mosaic();
  addHighlights(image, random_);
  const Sensor sensor{{0.01, 0.02, 0.03, 0.04}, 0.9, {2.0, 1.0, 1.5}, 0.0004, 1e-5};
  const Picture light = balanced(pictureOf(image), pattern_, sensor);
  const std::string text = textOf(sensor);
  const auto output = [&](const std::string& more) {
    return runAround("rawprep", image, text + more).at("out");
  };
  const Image whole = output("");
  EXPECT_EQ(whole.type.pattern, pattern_);
  expectMosaic(whole, mended(light, pattern_, sensor, {true, true}));
  expectMosaic(output("param:rawprep:01:highlights:off\n"), mended(light, pattern_, sensor, {false, true}));
  expectMosaic(output("param:rawprep:01:hot_pixels:false\n"), mended(light, pattern_, sensor, {true, false}));
  const std::string plain = "param:rawprep:01:hot_pixels:false\nparam:rawprep:01:highlights:";
  expectMosaic(output(plain + "off\n"), light);
  Picture clipped = light;
  for (double& v : clipped.values)
    v = std::min(v, 1.0);
  expectMosaic(output(plain + "clip\n"), clipped);
}

// Singles, pairs and clusters, at edges, too, over noise and a step of light.
TEST_P(RawReference, HotPixels) {
  Image image = mosaic();
  const Sensor sensor{{0.0, 0.0, 0.0, 0.0}, 1.0, {2.0, 1.0, 1.5}, 0.0008, 2e-6};
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      const double light = x < 60 ? 0.05 : 0.3;
      const bool isHot = pick(random_, 0, 25) == 0;
      image.set(x, y, 0, light + 0.02 * image.at(x, y, 0) + (isHot ? uniform(random_, 0.1, 0.6) : 0.0));
    }
  }
  Picture light = balanced(pictureOf(image), pattern_, sensor);
  for (double& v : light.values)
    v = static_cast<float>(v);  // whether two are equal matters
  const Picture expected = mended(light, pattern_, sensor, {false, true});
  expectMosaic(runAround("rawprep", image, textOf(sensor) + "param:rawprep:01:highlights:off\n").at("out"),
               expected);
  if (extent_.height > 100)
    EXPECT_NE(light.values, expected.values);
}

// Areas that are full in one colour, in two and in all, of two lights, with dark between them.
TEST_P(RawReference, Highlights) {
  Image image = mosaic();
  const Sensor sensor{{0.0, 0.0, 0.0, 0.0}, 1.0, {2.0, 1.0, 1.5}};
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      const double lights[2][3] = {{0.6, 0.2, 0.1}, {0.2, 0.5, 0.7}};
      const auto c = static_cast<size_t>(colourAt(pattern_, static_cast<int>(x), static_cast<int>(y)));
      const double level = 0.02 + 4.0 * std::pow(std::sin(0.04 * x) * std::sin(0.03 * y), 2.0);
      const double light = lights[x / 80 % 2][c] * level * (0.95 + 0.1 * image.at(x, y, 0));
      image.set(x, y, 0, std::min(light, 1.0));
    }
  }
  const Picture light = balanced(pictureOf(image), pattern_, sensor);
  const Picture expected = mended(light, pattern_, sensor, {true, false});
  expectMosaic(runAround("rawprep", image, textOf(sensor) + "param:rawprep:01:hot_pixels:false\n").at("out"),
               expected);
  if (extent_.height > 100)
    EXPECT_NE(light.values, expected.values);
}

// A window that begins on an odd pixel has the camera's levels of the whole picture. X-Trans is the same
// three pixels on in both directions, so where its window begins is not certain.
TEST_P(RawReference, BlackLevelsOfWindows) {
  if (extent_.width < 16 || extent_.height < 16 || !isBayer(pattern_))
    return;
  const Image image = mosaic();
  Image camera{{Channels::y, Format::f32, ColourTag::data, {}, 32}, std::vector<uint32_t>(32)};
  const Sensor sensor{{0.01, 0.02, 0.03, 0.04}, 0.9, {2.0, 1.0, 1.5}};
  const auto set = [&](uint32_t i, double value) {
    camera.words[i] = std::bit_cast<uint32_t>(static_cast<float>(value));
  };
  for (uint32_t i = 0; i < 4; ++i)
    set(i, sensor.black[i]);
  set(4, sensor.white);
  for (uint32_t i = 0; i < 3; ++i) {
    set(5 + i, sensor.gains[i]);
    set(21 + i, pattern_.words.at(i));
  }
  MemoryGraph graph;
  graph.sources = {{"in", image}, {"camera", camera}};
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  for (const Extent first : {Extent{0, 0}, Extent{1, 0}, Extent{2, 3}, Extent{3, 5}}) {
    SCOPED_TRACE(fmt::format("{} {}", first.width, first.height));
    graph.text = fmt::format(
        "i-memory:in crop rawprep o-memory:out\ni-array:camera camera=rawprep\n"
        "param:rawprep:01:precision:f32\nparam:rawprep:01:hot_pixels:false\n"
        "param:rawprep:01:highlights:off\nparam:crop:01:x:{}\nparam:crop:01:y:{}\n",
        first.width, first.height);
    const Image output = run(graph, "auto").at("out");
    const Picture whole = balanced(pictureOf(image), pattern_, sensor);
    Picture window(whole.width - static_cast<int>(first.width), whole.height - static_cast<int>(first.height),
                   1);
    for (int y = 0; y < window.height; ++y)
      for (int x = 0; x < window.width; ++x)
        *window.at(x, y) = *whole.at(x + static_cast<int>(first.width), y + static_cast<int>(first.height));
    expectMosaic(output, window);
  }
}

// Light that a camera's matrix makes of balanced colours becomes these again, without their balance.
TEST_P(RawReference, MosaicOfTheSensor) {
  constexpr double matrix[3][3] = {{1.5, -0.4, -0.1}, {-0.2, 1.4, -0.2}, {0.05, -0.35, 1.3}};
  constexpr double weights[] = {0.2627002, 0.6779981, 0.0593017};  // of luminance
  const Sensor sensor{{100.0, 220.0, 350.0, 480.0}, 4095.0, {2.0, 1.0, 1.5}};
  Image light = makeImage(Channels::rgb, Format::f32, extent_, ColourTag::rec2020);
  Picture expected(static_cast<int>(extent_.width), static_cast<int>(extent_.height), 1);
  for (uint32_t i = 0; i < extent_.width * extent_.height; ++i) {
    const uint32_t x = i % extent_.width, y = i / extent_.width;
    const double balanced[] = {uniform(random_, 0.0, 2.2), uniform(random_, 0.0, 1.1),
                               uniform(random_, 0.0, 1.6)};
    double luminance = 0.0;
    for (int row = 0; row < 3; ++row) {
      const double* m = matrix[row];
      const double v = m[0] * balanced[0] + m[1] * balanced[1] + m[2] * balanced[2];
      light.set(x, y, row, v);
      luminance += weights[row] * v;
    }
    const auto colour = static_cast<size_t>(colourAt(pattern_, static_cast<int>(x), static_cast<int>(y)));
    const double seen = pattern_ == MosaicPattern{} ? luminance : balanced[colour] / sensor.gains.at(colour);
    const double black = sensor.black.at(y % 2 * 2 + x % 2);
    expected.values[i] = std::clamp(black + seen * (sensor.white - black), 0.0, sensor.white);
  }
  const Image found =
      runAround("mosaic", light,
                fmt::format("param:mosaic:01:pattern:{}\nparam:mosaic:01:matrix:1.5:-0.4:-0.1:-0.2:1.4:"
                            "-0.2:0.05:-0.35:1.3\nparam:mosaic:01:black:100:220:350:480\n"
                            "param:mosaic:01:white:4095\nparam:mosaic:01:red:2\n"
                            "param:mosaic:01:blue:1.5\n",
                            std::get<0>(GetParam())))
          .at("out");
  EXPECT_EQ(found.type.pattern, pattern_);
  for (uint32_t i = 0; i < extent_.width * extent_.height; ++i) {
    const double value = found.at(i % extent_.width, i / extent_.width, 0);
    ASSERT_NEAR(value, expected.values[i], 0.501) << i;
    ASSERT_EQ(value, std::round(value)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomMosaics, RawReference,
                         testing::Combine(testing::ValuesIn(patterns), testing::Range(0, 4)),
                         [](const auto& each) {
                           std::string name = std::get<0>(each.param);
                           std::erase(name, '-');
                           return fmt::format("{}_{}", name, std::get<1>(each.param));
                         });

// Of known noise a x + b, which white balance multiplies: one curve for all colours.
TEST(RawColour, NoiseIsTheMeanOfAllColours) {
  Image image = makeImage(Channels::mosaic, Format::f32, {16, 12}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  MemoryGraph graph =
      graphAround("rawprep", image,
                  "rawprep:01:noise o-array:noise\nrawprep:01:offset o-array:offset\n"
                  "rawprep:01:sensor o-array:sensor\n"
                  "param:rawprep:01:red:2.5\nparam:rawprep:01:green:0.5\nparam:rawprep:01:blue:1.5\n"
                  "param:rawprep:01:noise_a:0.001\nparam:rawprep:01:noise_b:0.0004\n");
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  const auto found = run(graph, "auto");
  const double a = 0.001 * (2.5 + 0.5 + 1.5) / 3.0, b = 0.0004 * (2.5 * 2.5 + 0.5 * 0.5 + 1.5 * 1.5) / 3.0;
  const double expected[] = {std::sqrt(a + b), 0.5, b / a, 0.0};
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_NEAR(found.at("noise").at(i, 0, 0), expected[i], 1e-5) << i;
  EXPECT_NEAR(found.at("offset").at(0, 0, 0), 0.001 + 2.0 * std::sqrt(b), 1e-5);
  const double sensor[] = {2.5, 0.5, 1.5, 0.001, 0.0004};
  ASSERT_EQ(found.at("sensor").type.arrayCount, 5U);
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_NEAR(found.at("sensor").at(i, 0, 0), sensor[i], 1e-6) << i;
}

// A camera whose factors for daylight are unknown was set to daylight.
TEST(RawColour, TemperatureIsRelativeToDaylight) {
  MemoryGraph graph;
  graph.text =
      "i-memory:in rawprep o-memory:out\ni-array:camera camera=rawprep\n"
      "param:rawprep:01:precision:f32\nparam:rawprep:01:temperature:4000\n";
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  Image image = makeImage(Channels::mosaic, Format::f32, {16, 12}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  for (uint32_t i = 0; i < 16 * 12; ++i)
    image.set(i % 16, i / 16, 0, 0.25);
  std::vector<Image> outputs;
  for (const double daylight : {0.0, 1.0}) {
    Image camera{{Channels::y, Format::f32, ColourTag::data, {}, 32}, std::vector<uint32_t>(32)};
    const auto set = [&](uint32_t first, std::initializer_list<double> values) {
      for (const double value : values)
        camera.words[first++] = std::bit_cast<uint32_t>(static_cast<float>(value));
    };
    set(4, {1.0, 2.0, 1.0, 1.5});  // white, gains
    set(8, {0.7, 0.25, 0.05, 0.1, 0.8, 0.1, 0.05, 0.15, 0.8});
    set(24, {daylight * 2.0, daylight, daylight * 1.5});
    graph.sources = {{"in", image}, {"camera", camera}};
    outputs.push_back(run(graph, "auto").at("out"));
  }
  EXPECT_EQ(outputs[0].words, outputs[1].words);
  EXPECT_GT(outputs[0].at(0, 0, 0), 0.0);
  EXPECT_LT(outputs[0].at(0, 0, 0), 0.5) << "less red than by daylight";
}

}  // namespace
}  // namespace lacuna::test
