// Random images through every codec and depth, at sizes that break row strides.

#include "tests/io/support.h"

namespace lacuna::test {
namespace {

class RoundTrip : public testing::TestWithParam<Extent> {
 protected:
  Folder folder_;
};

TEST_P(RoundTrip, PngKeepsEveryBit) {
  for (const Format format : {Format::u8, Format::u16})
    for (const ColourTag colour : {ColourTag::rec709, ColourTag::rec2020}) {
      const ValueType type{Channels::rgba, format, colour, GetParam()};
      const auto pixels = randomPixels(type);
      const int compression = static_cast<int>(testRandom()() % 10);
      writeImage("png", folder_.file("a.png"), {{"pixels", type, pixels}}, {.compression = compression});
      EXPECT_EQ(probeImage("png", folder_.file("a.png"), {"pixels"}).at("pixels"), type) << print(type);
      EXPECT_EQ(readPlane("png", folder_.file("a.png"), "pixels"), pixels) << print(type);
    }
}

TEST_P(RoundTrip, OpaquePngHasNoAlpha) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, GetParam()};
  auto pixels = randomPixels(type);
  for (size_t i = 3; i < pixels.size(); i += 4)
    pixels[i] = std::byte{255};
  writeImage("png", folder_.file("a.png"), {{"pixels", type, pixels}});
  constexpr size_t colourTypeByte = 25;
  EXPECT_EQ(slurp(folder_.file("a.png")).at(colourTypeByte), 2);
  EXPECT_EQ(readPlane("png", folder_.file("a.png"), "output"), pixels);
  pixels[3] = std::byte{254};
  writeImage("png", folder_.file("a.png"), {{"pixels", type, pixels}});
  EXPECT_EQ(slurp(folder_.file("a.png")).at(colourTypeByte), 6);
}

// A smooth image, since JPEG is lossy; without chroma subsampling each channel stays close.
TEST_P(RoundTrip, JpegIsClose) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, GetParam()};
  const unsigned shift = testRandom()() % 200;
  std::vector<std::byte> pixels(byteSize(type));
  for (size_t y = 0; y < type.extent.height; ++y)
    for (size_t x = 0; x < type.extent.width; ++x) {
      std::byte* pixel = pixels.data() + 4 * (y * type.extent.width + x);
      pixel[0] = static_cast<std::byte>((x + shift) % 256 < 128 ? 2 * ((x + shift) % 128)
                                                                : 254 - 2 * ((x + shift) % 128));
      pixel[1] = static_cast<std::byte>(100 + y / 4);
      pixel[2] = static_cast<std::byte>(shift);
      pixel[3] = std::byte{255};
    }
  writeImage("jpg", folder_.file("a.jpg"), {{"pixels", type, pixels}}, {.quality = 98});
  const auto back = readPlane("jpg", folder_.file("a.jpg"), "pixels");
  ASSERT_EQ(back.size(), pixels.size());
  double squares = 0;
  for (size_t i = 0; i < back.size(); ++i) {
    const double difference = std::to_integer<int>(back[i]) - std::to_integer<int>(pixels[i]);
    squares += difference * difference;
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(back.size())), 2.5);
  writeImage("jpg", folder_.file("b.jpg"), {{"pixels", type, pixels}}, {.quality = 1});
  EXPECT_LE(fs::file_size(folder_.file("b.jpg")), fs::file_size(folder_.file("a.jpg")));
}

TEST_P(RoundTrip, PfmKeepsEveryColourBit) {
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, GetParam()};
  auto pixels = randomPixels(type);
  writeImage("pfm", folder_.file("a.pfm"), {{"input", type, pixels}});
  const float one = 1.0F;
  for (size_t i = 12; i < pixels.size(); i += 16)
    std::memcpy(pixels.data() + i, &one, 4);
  EXPECT_EQ(probeImage("pfm", folder_.file("a.pfm"), {}).at("output"), type);
  EXPECT_EQ(readPlane("pfm", folder_.file("a.pfm"), "output"), pixels);
}

TEST_P(RoundTrip, GreyPfmIsReplicated) {
  const ValueType type{Channels::y, Format::f32, ColourTag::data, GetParam()};
  const auto pixels = randomPixels(type);
  writeImage("pfm", folder_.file("a.pfm"), {{"input", type, pixels}});
  const std::vector<float> grey = asFloats(pixels),
                           back = asFloats(readPlane("pfm", folder_.file("a.pfm"), "output"));
  ASSERT_EQ(back.size(), 4 * grey.size());
  for (size_t i = 0; i < grey.size(); ++i) {
    const std::vector<float> expected{grey[i], grey[i], grey[i], 1.0F};
    EXPECT_EQ(std::vector<float>(back.begin() + 4 * i, back.begin() + 4 * i + 4), expected);
  }
}

TEST_P(RoundTrip, ExrKeepsEveryBitOfEveryPlane) {
  for (const Format format : {Format::f16, Format::f32})
    for (const ColourTag colour : {ColourTag::rec709, ColourTag::rec2020}) {
      const std::map<std::string, ValueType> types = {
          {"output", {Channels::rgba, format, colour, GetParam()}},
          {"albedo", {Channels::rgb, format, ColourTag::data, GetParam()}},
          {"normal", {Channels::normal, format, ColourTag::data, GetParam()}},
          {"depth", {Channels::depth, Format::f32, ColourTag::data, GetParam()}},
          {"motion", {Channels::mv, Format::f32, ColourTag::data, GetParam()}},
          {"direct", {Channels::rgba, format, colour, GetParam()}},
          {"indirect", {Channels::rgba, format, colour, GetParam()}},
          {"gradient", {Channels::any2, format, ColourTag::data, GetParam()}},
          {"moments", {Channels::any2, Format::f32, ColourTag::data, GetParam()}},
          {"id", {Channels::y, Format::u32, ColourTag::data, GetParam()}},
          {"histogram",
           {Channels::y, Format::f32, ColourTag::data, GetParam(),
            7 * GetParam().width * GetParam().height}}};
      std::map<std::string, std::vector<std::byte>> pixels;
      std::vector<NamedImage> planes;
      std::vector<std::string> names;
      for (const auto& [name, type] : types) {
        pixels[name] = randomPixels(type);
        planes.push_back({name, type, pixels[name]});
        names.push_back(name);
      }
      writeImage("exr", folder_.file("a.exr"), planes);
      EXPECT_EQ(probeImage("exr", folder_.file("a.exr"), names), types);
      std::map<std::string, std::vector<std::byte>> back;
      std::vector<PlaneTarget> targets;
      for (const auto& [name, type] : types) {
        back[name].resize(byteSize(type), std::byte{0xee});
        targets.push_back({name, type, back[name]});
      }
      readImage("exr", folder_.file("a.exr"), targets);
      for (const auto& [name, type] : types)
        EXPECT_EQ(back[name], pixels[name]) << name << " " << print(type);
    }
}

TEST_P(RoundTrip, NothingElseStaysInTheFolder) {
  const ValueType type{Channels::rgba, Format::f16, ColourTag::data, GetParam()};
  const auto pixels = randomPixels(type);
  writeImage("exr", folder_.file("a.exr"), {{"input", type, pixels}});
  writeImage("exr", folder_.file("a.exr"), {{"input", type, pixels}});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

INSTANTIATE_TEST_SUITE_P(RandomSizes, RoundTrip,
                         testing::Values(Extent{1, 1}, Extent{17, 1}, Extent{1, 65}, Extent{127, 509}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.width) + "x" +
                                  std::to_string(tested.param.height);
                         });

}  // namespace
}  // namespace lacuna::test
