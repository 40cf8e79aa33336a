// camera and sharpen against their double-precision versions.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/border.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

// A white-balanced camera's white stays white: rows add up to 1.
constexpr double matrix[3][3] = {{0.7, 0.4, -0.1}, {0.05, 1.2, -0.25}, {0.02, -0.3, 1.28}};

TEST(Camera, MultipliesRandomColoursByItsMatrix) {
  std::mt19937_64& random = testRandom();
  Image image = randomImage(random, Channels::rgba, Format::f32, {37, 11}, false);
  image.type.colour = ColourTag::data;
  const char* const names[] = {"red", "green", "blue"};
  std::string text;
  for (int i = 0; i < 9; ++i)
    text += fmt::format("param:camera:01:{}_from_{}:{}\n", names[i / 3], names[i % 3], matrix[i / 3][i % 3]);
  const Image output = run(graphAround("camera", image, text), "auto").at("out");
  EXPECT_EQ(output.type.colour, ColourTag::rec2020);
  Picture expected = pictureOf(image);
  for (size_t i = 0; i < expected.values.size(); i += 4) {
    const std::vector<double> v(&expected.values[i], &expected.values[i] + 3);
    for (size_t row = 0; row < 3; ++row)
      expected.values[i + row] = matrix[row][0] * v[0] + matrix[row][1] * v[1] + matrix[row][2] * v[2];
  }
  expectAgrees(output, expected);
}

// As bright as the camera's maker wants it: `baseline` and the file's number of stops.
TEST(Camera, IsAsBrightAsItsMakerWantsUnlessThatIsOff) {
  Image image = makeImage(Channels::rgba, Format::f32, {3, 2}, ColourTag::data);
  Image camera{{Channels::y, Format::f32, ColourTag::data, {}, 32}, std::vector<uint32_t>(32)};
  for (uint32_t row = 0; row < 3; ++row) {
    image.set(1, 1, static_cast<int>(row), 0.25 + row);
    camera.words[8 + 4 * row] = std::bit_cast<uint32_t>(1.0F);
  }
  camera.words[19] = std::bit_cast<uint32_t>(1.5F);
  for (const bool isBaseline : {true, false}) {
    MemoryGraph graph =
        graphAround("camera", image,
                    fmt::format("i-array:numbers camera=camera\nparam:camera:01:baseline:{}\n", isBaseline));
    graph.sources["numbers"] = camera;
    graph.modulePath.push_back(testFolder() + "/gpu/modules");
    const Image output = run(graph, "auto").at("out");
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(output.at(1, 1, c), (0.25 + c) * (isBaseline ? std::exp2(1.5) : 1.0), 1e-5) << isBaseline;
  }
}

struct Sharpening {
  double amount, radius, threshold, halo;
};

double lightAt(const Picture& p, int x, int y) {
  const double* v = p.at(*standIn(x, p.width, Border::clamp), *standIn(y, p.height, Border::clamp));
  return std::sqrt(std::max(0.0, 0.212639006 * v[0] + 0.715168679 * v[1] + 0.072192315 * v[2]));
}

// By how much a pixel becomes brighter.
double factorAt(const Picture& p, int x, int y, const Sharpening& s) {
  const double light = lightAt(p, x, y);
  double sum = 0.0, weight = 0.0, least = light, most = light;
  for (int dy = -3; dy <= 3; ++dy) {
    for (int dx = -3; dx <= 3; ++dx) {
      const double tap = lightAt(p, x + dx, y + dy);
      const double w =
          dx * dx + dy * dy <= 9 ? std::exp(-0.5 * (dx * dx + dy * dy) / (s.radius * s.radius)) : 0.0;
      sum += w * tap;
      weight += w;
      if (std::max(std::abs(dx), std::abs(dy)) <= 1) {
        least = std::min(least, tap);
        most = std::max(most, tap);
      }
    }
  }
  const double detail = light - sum / weight;
  const double kept = detail == 0.0 ? 0.0 : detail * detail / (detail * detail + s.threshold * s.threshold);
  const double beyond = s.halo * (most - least);
  const double sharp =
      std::clamp(light + s.amount * kept * detail, std::max(least - beyond, 0.0), most + beyond);
  return light > 1e-4 ? sharp * sharp / (light * light) : 1.0;
}

TEST(Sharpen, AgreesWithItsReferenceOnRandomImages) {
  std::mt19937_64& random = testRandom();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{127, 509}}) {
    Image image = randomImage(random, Channels::rgba, Format::f32, extent, false);
    for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
      for (int c = 0; c < 3 && i % 7 == 3; ++c) {  // dark beside bright ones
        const uint32_t x = i % extent.width, y = i / extent.width;
        image.set(x, y, c, 0.01 * image.at(x, y, c));
      }
    }
    const Sharpening s{uniform(random, 0.1, 3.0), uniform(random, 0.4, 2.0), 0.01, uniform(random, 0.0, 1.0)};
    const std::string text = fmt::format(
        "param:sharpen:01:amount:{}\nparam:sharpen:01:radius:{}\nparam:sharpen:01:threshold:{}\n"
        "param:sharpen:01:halo:{}\n",
        s.amount, s.radius, s.threshold, s.halo);
    const Picture input = pictureOf(image);
    Picture expected = input;
    for (int y = 0; y < input.height; ++y) {
      for (int x = 0; x < input.width; ++x)
        for (int c = 0; c < 3; ++c)
          expected.at(x, y)[c] *= factorAt(input, x, y, s);
    }
    for (const char* schedule : {"auto", "rows4"})
      expectAgrees(run(graphAround("sharpen", image, text), schedule).at("out"), expected);
  }
}

}  // namespace
}  // namespace lacuna::test
