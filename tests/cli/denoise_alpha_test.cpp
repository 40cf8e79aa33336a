// lacuna denoise of OpenEXR files: the effect of alpha on colour.

#include <cmath>
#include <functional>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class DenoiseAlpha : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"denoise", "render.exr", "-o", "clean.exr"});
    return runProgram(words, {folder_.path()});
  }

  const Folder folder_;
};

constexpr Extent alphaExtent{40, 30};

void writeAlpha(const std::string& path, const std::function<float(size_t x, size_t y)>& alphaAt) {
  std::vector<float> values(size_t{4} * alphaExtent.width * alphaExtent.height);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i % 4 == 3 ? alphaAt(i / 4 % alphaExtent.width, i / 4 / alphaExtent.width)
                           : static_cast<float>(uniform(testRandom(), 0.1, 4.0));
  writeImage("exr", path,
             {{"output",
               {Channels::rgba, Format::f32, ColourTag::rec709, alphaExtent},
               std::as_bytes(std::span(values))}});
}

TEST_F(DenoiseAlpha, RandomColourIsNeverDividedByAlpha) {
  const float alphas[] = {0.0F, 1e-20F, 1e-4F, 0.0099F, 0.25F, 1.0F, -0.5F};
  writeAlpha(folder_.file("render.exr"), [&](size_t x, size_t) { return alphas[x % 7]; });
  const auto colours = [&](const char* file) {
    return asFloats(readPlane("exr", folder_.file(file), "output"));
  };
  ASSERT_EQ(run({"--strength", "0"}).code, 0);
  EXPECT_EQ(colours("clean.exr"), colours("render.exr"));
  ASSERT_EQ(run({"--method", "eaw", "--strength", "0.01"}).code, 0);
  const std::vector<float> mixed = colours("clean.exr"), input = colours("render.exr");
  for (size_t i = 0; i < mixed.size(); ++i)
    ASSERT_NEAR(mixed[i], input[i], 0.2) << "alpha " << input[i | 3U];
}

// Fog as Cycles renders it with a transparent film: a sample has 0, 6e-8 or 1 of alpha, and light where it
// has none, too. Every method brings colour and alpha nearer to the reference.
TEST_F(DenoiseAlpha, RandomFogIsNeverWorseThanItWas) {
  constexpr int samples = 4;
  const auto cover = [](size_t x, size_t y) {
    return std::clamp(1.2F - std::hypot(static_cast<float>(x) - 20, static_cast<float>(y) - 15) / 16, 0.0F,
                      1.0F);
  };
  std::vector<float> exact, noisy;
  for (size_t i = 0; i < size_t{alphaExtent.width} * alphaExtent.height; ++i) {
    const float alpha = cover(i % alphaExtent.width, i / alphaExtent.width);
    float sums[4] = {};
    for (int s = 0; s < samples; ++s) {
      const bool hits = uniform(testRandom(), 0, 1) < alpha, glows = uniform(testRandom(), 0, 1) < 0.2;
      for (int c = 0; c < 3; ++c)
        sums[c] += (hits ? 0.5F : 0.0F) + (glows ? 0.4F : 0.0F);
      sums[3] += hits ? 1.0F : pick(testRandom(), 0, 1) == 0 ? 0x1p-24F : 0.0F;
    }
    for (int c = 0; c < 4; ++c) {
      exact.push_back(c == 3 ? alpha : 0.5F * alpha + 0.08F);
      noisy.push_back(sums[c] / samples);
    }
  }
  writeImage("exr", folder_.file("render.exr"),
             {{"output",
               {Channels::rgba, Format::f32, ColourTag::rec709, alphaExtent},
               std::as_bytes(std::span(noisy))}});
  const auto errorOf = [&](const std::vector<float>& values, bool ofAlpha) {
    double sum = 0;
    for (size_t i = 0; i < exact.size(); ++i)
      sum += (i % 4 == 3) == ofAlpha ? std::pow(double{values[i]} - exact[i], 2) : 0.0;
    return sum;
  };
  for (const std::string method : {"cnn-unet", "svgf", "eaw"}) {
    const Outcome outcome = run({"--method", method, "--overwrite-input"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    const std::vector<float> clean = asFloats(readPlane("exr", folder_.file("clean.exr"), "output"));
    EXPECT_LT(errorOf(clean, false), errorOf(noisy, false)) << method;
    EXPECT_LT(errorOf(clean, true), 0.25 * errorOf(noisy, true)) << method << ", of squares";
  }
}

}  // namespace
}  // namespace lacuna::test
