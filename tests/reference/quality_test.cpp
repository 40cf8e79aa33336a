// A property that a reference can't show: the filters' default parameters denoise. Bounds are somewhat below
// what was measured.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tests/reference/files.h"
#include "tests/support/python.h"

namespace lacuna::test {
namespace {

std::string input(const char* name) {
  return exampleFolder() + "/inputs/" + name;
}

// sigma in linear units; the noise is estimated, no parameter of eaw is touched.
void expectEawGains(double sigma, double leastGain) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-png noise eaw o-memory:denoised\nnoise o-memory:noisy\nparam:i-png:01:filename:\"{}\"\n"
      "param:noise:01:sigma:{}\nparam:noise:01:seed:{}\n",
      input("photo.png"), sigma, testRandom()() % 1000000);
  const auto images = runFiles(graph);
  const ColourImage clean = loadColour(input("photo.png"));
  const double before = compare(coloursOf(images.at("noisy")), clean).psnr;
  const double after = compare(coloursOf(images.at("denoised")), clean).psnr;
  EXPECT_GE(after - before, leastGain) << before << " dB before, " << after << " dB after, sigma " << sigma;
}

TEST(Quality, RandomEawRaisesPsnr) {
  expectEawGains(25.0 / 255.0, 8.5);  // measured: 9.1
  expectEawGains(5.0 / 255.0, 5.5);   // measured: 6.5
}

// Photographs of scikit-image. Skipped where it is not installed.
class Photographs : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names)
      if (!std::filesystem::exists(photograph(name)))
        GTEST_SKIP() << "python3-skimage is not installed";
  }

  // The mean gain of all pictures; each must also gain by itself.
  template <typename Gain>
  void expectGains(const Gain& gainOf) {
    double sum = 0.0;
    for (const char* name : names) {
      const double gain = gainOf(photograph(name));
      std::cout << fmt::format("{}: {:.2f} dB\n", name, gain);
      EXPECT_GE(gain, 6.0) << name;
      sum += gain;
    }
    EXPECT_GE(sum / std::size(names), 8.0);
  }

  static constexpr const char* names[] = {"astronaut.png", "coffee.png", "hubble_deep_field.jpg"};
  static constexpr double sigma = 25.0 / 255.0;
  std::normal_distribution<double> normal_{0.0, sigma};
};

// Measured: 10.0, 9.2 and 8.8 dB. Noise in 8-bit codes, clipped at both ends, and filtered in linear light.
TEST_F(Photographs, RandomNoiseInSrgbValues) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  expectGains([&](const std::string& path) {
    Image image = readFile(std::filesystem::path(path).extension() == ".png" ? "png" : "jpg", path);
    for (uint32_t i = 0; i < image.type.extent.width * image.type.extent.height * 4; ++i) {
      const uint32_t x = i / 4 % image.type.extent.width;
      const uint32_t y = i / 4 / image.type.extent.width;
      const int c = static_cast<int>(i % 4);
      if (c < 3)
        image.set(x, y, c, std::clamp(image.at(x, y, c) + normal_(random), 0.0, 1.0));
    }
    const std::string noisy = folder.file("noisy.png");
    writeFile("png", noisy, {{"input", image}});
    MemoryGraph graph;
    graph.text = "i-png eaw o-memory:out\nparam:i-png:01:filename:\"" + noisy + "\"\n";
    const ColourImage clean = loadColour(path);
    return compare(coloursOf(runFiles(graph).at("out")), clean).psnr - compare(loadColour(noisy), clean).psnr;
  });
}

// Measured: 11.0, 11.5 and 13.0 dB.
TEST_F(Photographs, RandomNoiseInLinearValues) {
  std::mt19937_64& random = testRandom();
  expectGains([&](const std::string& path) {
    const ColourImage clean = loadColour(path);
    Image noisy = makeImage(Channels::rgba, Format::f32, clean.extent, ColourTag::rec709);
    for (size_t i = 0; i < clean.rgb.size(); ++i) {
      const auto pixel = static_cast<uint32_t>(i / 3);
      noisy.set(pixel % clean.extent.width, pixel / clean.extent.width, static_cast<int>(i % 3),
                clean.rgb[i] + normal_(random));
    }
    const Image denoised = run(graphAround("eaw", noisy, ""), "auto").at("out");
    return compare(coloursOf(denoised), clean).psnr - compare(coloursOf(noisy), clean).psnr;
  });
}

TEST(Quality, GuidedLowersRelativeError) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-exr:r atrous-guided o-memory:denoised\ni-exr:r:normal normal=atrous-guided\n"
      "i-exr:r:depth depth=atrous-guided\nparam:i-exr:r:filename:\"{}\"\n",
      input("render.exr"));
  const ColourImage reference = loadColour(input("render-reference.exr"));
  const Metrics before = compare(loadColour(input("render.exr")), reference);
  const Metrics after = compare(coloursOf(runFiles(graph).at("denoised")), reference);
  // Measured: relMSE 0.0455 to 0.0356, mostly around the lamp; PSNR 25.4 to 29.7 dB;
  // SSIM 0.56 to 0.88.
  EXPECT_LE(after.relMse, before.relMse / 1.2);
  EXPECT_GE(after.psnr, before.psnr + 4.0);
  EXPECT_GE(after.ssim, 0.86);
}

}  // namespace
}  // namespace lacuna::test
