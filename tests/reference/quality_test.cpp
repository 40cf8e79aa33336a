// What a reference can't say: that the filters' default parameters denoise. Bounds are somewhat below what
// was measured.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/io/metrics.h"
#include "tests/reference/files.h"

namespace lacuna::test {
namespace {

std::string input(const char* name) {
  return exampleFolder() + "/inputs/" + name;
}

ColourImage colourOf(const Image& image) {
  const Picture picture = pictureOf(image);
  ColourImage colour{image.type.extent, ColourTag::rec709, {}};
  for (size_t i = 0; i < picture.values.size(); ++i) {
    if (i % 4 != 3) {
      colour.rgb.push_back(static_cast<float>(picture.values[i]));
    }
  }
  return colour;
}

// sigma in linear units; the noise is estimated, no parameter of eaw is touched.
void expectEawGains(double sigma, double leastGain) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "lacuna:1\nmodule:i-png:01\nmodule:noise:01\nmodule:eaw:01\nmodule:o-memory:noisy\nmodule:o-memory:"
      "denoised\n"
      "connect:i-png:01:output:noise:01:input\nconnect:noise:01:output:eaw:01:input\n"
      "connect:noise:01:output:o-memory:noisy:input\nconnect:eaw:01:output:o-memory:denoised:input\n"
      "param:i-png:01:filename:\"{}\"\nparam:noise:01:sigma:{}\nparam:noise:01:seed:{}\n",
      input("photo.png"), sigma, testSeed() % 1000000);
  const auto images = runFiles(graph);
  const ColourImage clean = loadColour(input("photo.png"));
  const double before = compare(colourOf(images.at("noisy")), clean).psnr;
  const double after = compare(colourOf(images.at("denoised")), clean).psnr;
  EXPECT_GE(after - before, leastGain) << before << " dB before, " << after << " dB after, sigma " << sigma;
}

TEST(Quality, EawRaisesPsnr) {
  expectEawGains(25.0 / 255.0, 8.5);  // measured: 9.1
  expectEawGains(5.0 / 255.0, 5.5);   // measured: 6.5
}

TEST(Quality, GuidedLowersRelativeError) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "lacuna:1\nmodule:i-exr:r\nmodule:atrous-guided:01\nmodule:o-memory:denoised\n"
      "connect:i-exr:r:output:atrous-guided:01:input\nconnect:i-exr:r:normal:atrous-guided:01:normal\n"
      "connect:i-exr:r:depth:atrous-guided:01:depth\nconnect:atrous-guided:01:output:o-memory:denoised:"
      "input\n"
      "param:i-exr:r:filename:\"{}\"\n",
      input("render.exr"));
  const ColourImage reference = loadColour(input("render-reference.exr"));
  const Metrics before = compare(loadColour(input("render.exr")), reference);
  const Metrics after = compare(colourOf(runFiles(graph).at("denoised")), reference);
  // Measured: relMSE 0.0455 to 0.0356, of which the surroundings of the lamp have most; PSNR 25.4 to 29.7 dB;
  // SSIM 0.56 to 0.88.
  EXPECT_LE(after.relMse, before.relMse / 1.2);
  EXPECT_GE(after.psnr, before.psnr + 4.0);
  EXPECT_GE(after.ssim, 0.86);
}

}  // namespace
}  // namespace lacuna::test
