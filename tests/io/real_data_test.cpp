// Photographs of scikit-image, and renders of the shared data folder beside the repository. Skipped where
// these are missing.

#include <fmt/format.h>

#include <algorithm>

#include "modules/codecs/image_info.h"
#include "tests/io/support.h"
#include "tests/support/python.h"

namespace lacuna::test {
namespace {

std::string shared(const std::string& name) {
  return std::string(LACUNA_TEST_FOLDER) + "/../../shared/data/" + name;
}

class RealData : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(shared("README.md")))
      GTEST_SKIP() << "no shared data beside the repository";
  }
};

class Photographs : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(photograph("astronaut.png")))
      GTEST_SKIP() << "python3-skimage is not installed";
  }
};

TEST_F(Photographs, AreReadWhole) {
  EXPECT_EQ(print(probeImage("png", photograph("astronaut.png"), {}).at("output")), "rgba u8 rec709 512x512");
  EXPECT_EQ(print(probeImage("jpg", photograph("hubble_deep_field.jpg"), {}).at("output")),
            "rgba u8 rec709 1000x872");
  const auto pixels = readPlane("jpg", photograph("hubble_deep_field.jpg"), "output");
  double sum = 0;
  for (const std::byte byte : pixels)
    sum += std::to_integer<int>(byte);
  const double mean = (sum / (1000.0 * 872) - 255) / 3;
  EXPECT_GT(mean, 5.0);  // galaxies before a dark sky
  EXPECT_LT(mean, 60.0);
}

// libpng knows this profile as sRGB, and would refuse to write it.
TEST_F(Photographs, PhotoshopsProfileIsKept) {
  const Folder folder;
  for (const auto& [codec, name] :
       {std::pair("png", "astronaut.png"), std::pair("jpg", "hubble_deep_field.jpg")}) {
    const ValueType type = probeImage(codec, photograph(name), {}).begin()->second;
    WriteOptions options;
    options.origin = Origin{photograph(name)};
    for (const char* out : {"png", "jpg"}) {
      writeImage(out, folder.file(out), {{"output", type, readPlane(codec, photograph(name), "output")}},
                 options);
      EXPECT_EQ(imageInfo(folder.file(out)).colour, "profile 'sRGB IEC61966-2.1', sRGB")
          << name << " as " << out;
    }
  }
}

TEST_F(RealData, RendersAndTheirPlanes) {
  const std::vector<std::string> planes = {"output", "albedo", "normal", "depth"};
  const auto types = probeImage("exr", shared("renders/still_0004spp.exr"), planes);
  EXPECT_EQ(print(types.at("output")), "rgba f16 rec709 512x512");
  EXPECT_EQ(print(types.at("depth")), "depth f32 data 512x512");
  EXPECT_EQ(types.at("albedo").channels, Channels::rgb);
  const std::vector<float> depth = asFloats(readPlane("exr", shared("renders/still_0004spp.exr"), "depth"));
  EXPECT_GT(*std::min_element(depth.begin(), depth.end()), 0.0F);
  const std::vector<float> motion = asFloats(readPlane("exr", shared("renders/seq/noisy_02.exr"), "motion"));
  EXPECT_EQ(motion.size(), 2U * 320 * 180);
  EXPECT_TRUE(std::any_of(motion.begin(), motion.end(), [](float value) { return std::abs(value) > 0.1F; }));
}

TEST_F(RealData, RayHistograms) {
  const auto type = probeImage("exr", shared("renders/synth_48x40_hist.exr"), {"histogram"}).at("histogram");
  EXPECT_EQ(type.arrayCount % (48 * 40), 0U);
  EXPECT_GE(type.arrayCount / (48 * 40), 60U);
  const std::vector<float> bins =
      asFloats(readPlane("exr", shared("renders/synth_48x40_hist.exr"), "histogram"));
  EXPECT_GT(*std::max_element(bins.begin(), bins.end()), 0.0F);
}

// Our writer doesn't change a renderer's file.
TEST_F(RealData, RendersSurviveARoundTrip) {
  Folder folder;
  std::map<std::string, ValueType> types =
      probeImage("exr", shared("renders/still_ref.exr"), {"output", "albedo", "normal", "depth"});
  std::map<std::string, std::vector<std::byte>> pixels;
  std::vector<NamedImage> images;
  for (const auto& [name, type] : types) {
    pixels[name] = readPlane("exr", shared("renders/still_ref.exr"), name);
    images.push_back({name, type, pixels[name]});
  }
  writeImage("exr", folder.file("a.exr"), images);
  for (const auto& [name, type] : types)
    EXPECT_EQ(readPlane("exr", folder.file("a.exr"), name), pixels[name]) << name;
}

}  // namespace
}  // namespace lacuna::test
