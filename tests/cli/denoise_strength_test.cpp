// lacuna denoise --strength: 1 has the least error, more is gradually smoother, and no strength ruins a
// picture.

#include <fmt/format.h>

#include <cmath>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr Extent pictureExtent{128, 96};
using Codes = std::vector<std::byte>;  // rgba, 8 bit

// A disc with stripes on a ground that slowly becomes brighter.
double brightness(int x, int y, size_t component) {
  const double fromCentre = std::hypot(x - 60.0, y - 50.0);
  const double ground = 60.0 + 0.5 * x + 20.0 * static_cast<double>(component);
  return fromCentre > 34.0 ? ground : x / 8 % 2 == 0 ? 190.0 : 130.0 - 20.0 * static_cast<double>(component);
}

void writePicture(const std::string& path, double noise) {
  std::normal_distribution<double> draw(0.0, noise > 0 ? noise : 1.0);
  Codes codes(size_t{4} * pictureExtent.width * pictureExtent.height, std::byte{255});
  for (size_t i = 0; i < codes.size(); ++i)
    if (i % 4 != 3) {
      const double value = brightness(static_cast<int>(i / 4 % pictureExtent.width),
                                      static_cast<int>(i / 4 / pictureExtent.width), i % 4) +
                           (noise > 0 ? draw(testRandom()) : 0.0);
      codes[i] = static_cast<std::byte>(std::lround(std::clamp(value, 0.0, 255.0)));
    }
  writeImage("png", path,
             {{"output", {Channels::rgba, Format::u8, ColourTag::rec709, pictureExtent}, codes}});
}

Codes codesOf(const std::string& path) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, pictureExtent};
  Codes codes(byteSize(type));
  readImage("png", path, "output", type, codes);
  return codes;
}

double psnr(const Codes& a, const Codes& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += std::pow(std::to_integer<int>(a[i]) - std::to_integer<int>(b[i]), 2);
  return 10 * std::log10(255.0 * 255.0 * 0.75 * static_cast<double>(a.size()) / sum);  // alpha is equal
}

// Mean difference of neighbours.
double roughness(const Codes& codes) {
  double sum = 0;
  for (size_t i = 4; i < codes.size(); ++i)
    sum += std::abs(std::to_integer<int>(codes[i]) - std::to_integer<int>(codes[i - 4]));
  return sum / static_cast<double>(codes.size());
}

TEST(DenoiseStrength, RandomNoiseGoesAndThePictureStays) {
  const Folder folder;
  writePicture(folder.file("clean.png"), 0);
  writePicture(folder.file("noisy.png"), 25);
  const Codes clean = codesOf(folder.file("clean.png")), noisy = codesOf(folder.file("noisy.png"));
  std::map<double, Codes> made;
  for (const double strength : {0.5, 1.0, 1.1, 1.5, 2.0, 4.0}) {
    const Outcome outcome =
        runProgram({"denoise", "noisy.png", "-o", "made.png", "--strength", fmt::format("{}", strength)},
                   {folder.path()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("noisy.png: photograph, by wavelets and a collaborative Wiener filter"),
              std::string::npos)
        << outcome.err;
    made[strength] = codesOf(folder.file("made.png"));
  }
  const auto quality = [&](double strength) { return psnr(made[strength], clean); };
  EXPECT_GT(quality(0.5), psnr(noisy, clean) + 2);
  EXPECT_GT(quality(1), quality(0.5) + 2);
  EXPECT_NEAR(quality(1.1), quality(1), 0.2) << "smooth in between";
  EXPECT_GT(quality(1.5), quality(1) - 0.6);
  EXPECT_GT(quality(2), quality(1) - 3);
  EXPECT_GT(quality(4), psnr(noisy, clean));
  EXPECT_LT(roughness(made[2]), 0.97 * roughness(made[1]));
  EXPECT_LT(roughness(made[4]), 0.97 * roughness(made[2]));
}

}  // namespace
}  // namespace lacuna::test
