#include <gtest/gtest.h>

#include <tuple>

#include "graph/values/image_type.h"

namespace lacuna {
namespace {

TEST(ImageType, NamesReadBack) {
  for (const Channels channels :
       {Channels::y, Channels::rgb, Channels::rgba, Channels::mv, Channels::normal, Channels::depth,
        Channels::any1, Channels::any2, Channels::any4, Channels::mosaic})
    EXPECT_EQ(channelsFromName(name(channels)), channels);
  for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32, Format::u32})
    EXPECT_EQ(formatFromName(name(format)), format);
  for (const ColourTag colour : {ColourTag::rec2020, ColourTag::rec709, ColourTag::data})
    EXPECT_EQ(colourFromName(name(colour)), colour);
  EXPECT_EQ(channelsFromName("any"), Channels::any1);
  EXPECT_EQ(channelsFromName("rgbb"), std::nullopt);
  EXPECT_EQ(formatFromName(""), std::nullopt);
}

TEST(ImageType, WordsPerPixelAndGlslTypes) {
  const std::tuple<Channels, Format, uint32_t, const char*> cases[] = {
      {Channels::y, Format::f16, 1, "float"},     {Channels::mv, Format::f16, 1, "vec2"},
      {Channels::rgb, Format::f16, 2, "vec3"},    {Channels::rgba, Format::f16, 2, "vec4"},
      {Channels::depth, Format::f32, 1, "float"}, {Channels::depth, Format::f16, 1, "float"},
      {Channels::any2, Format::f32, 2, "vec2"},   {Channels::mv, Format::f32, 2, "vec2"},
      {Channels::normal, Format::f32, 4, "vec3"}, {Channels::normal, Format::u8, 1, "vec3"},
      {Channels::rgba, Format::u8, 1, "vec4"},    {Channels::rgba, Format::u16, 2, "vec4"},
      {Channels::mv, Format::u16, 1, "vec2"},     {Channels::any2, Format::u32, 2, "uvec2"},
      {Channels::any4, Format::u32, 4, "uvec4"},  {Channels::any1, Format::u32, 1, "uint"}};
  for (const auto& [channels, format, words, glsl] : cases) {
    EXPECT_EQ(wordsPerPixel(channels, format), words) << glsl;
    EXPECT_EQ(glslType(channels, format), glsl);
  }
  EXPECT_EQ(bytesPerPixel(Channels::rgba, Format::f32), 16U);
}

TEST(ImageType, ArraysHaveAShape) {
  ValueType type{Channels::y, Format::f16, ColourTag::data, {}, 7};
  EXPECT_EQ(sizesOf(type), (std::vector<uint32_t>{7}));
  EXPECT_EQ(shapeVector(type), (ArrayShape{1, 1, 1, 7}));
  EXPECT_EQ(byteSize(type), 14U);
  setSizes(type, {2, 3, 5});
  EXPECT_EQ(type.arrayCount, 30U);
  EXPECT_EQ(print(type), "array of (2, 3, 5) y f16");
  EXPECT_EQ(shapeVector(type), (ArrayShape{1, 2, 3, 5}));
  setSizes(type, {9});
  EXPECT_EQ(type, (ValueType{Channels::y, Format::f16, ColourTag::data, {}, 9}));
  EXPECT_EQ(sizesOf({Channels::y, Format::f16, ColourTag::data, {17, 3}}), (std::vector<uint32_t>{3, 17}));
  EXPECT_EQ(sizesOf({Channels::y, Format::f32, ColourTag::data, {17, 3}, 102}),
            (std::vector<uint32_t>{2, 3, 17}));
}

TEST(ImageType, BytesOfElements) {
  const auto bytes = [](Channels channels, Format format) {
    return bytesPerElement({channels, format, ColourTag::data, {}, 1});
  };
  EXPECT_EQ(bytes(Channels::y, Format::f16), 2U);
  EXPECT_EQ(bytes(Channels::any2, Format::f16), 4U);
  EXPECT_EQ(bytes(Channels::rgb, Format::f16), 8U);
  EXPECT_EQ(bytes(Channels::y, Format::f32), 4U);
  EXPECT_EQ(bytesPerElement({Channels::y, Format::f16, ColourTag::data, {1, 1}}), 4U);  // a pixel
}

TEST(ImageType, SizeAndText) {
  const ValueType image{Channels::rgba, Format::f16, ColourTag::rec709, {1920, 1080}, 0};
  EXPECT_EQ(byteSize(image), size_t{1920} * 1080 * 8);
  EXPECT_EQ(print(image), "rgba f16 rec709 1920x1080");
  const ValueType array{Channels::y, Format::f32, ColourTag::data, {}, 3};
  EXPECT_EQ(byteSize(array), 12U);
  EXPECT_EQ(print(array), "array of 3 y f32");
  const ValueType planes{Channels::y, Format::f32, ColourTag::data, {17, 3}, 61 * 17 * 3};
  EXPECT_TRUE(planes.isArray() && planes.isPlanes() && !array.isPlanes() && !image.isPlanes());
  EXPECT_EQ(byteSize(planes), size_t{61} * 17 * 3 * 4);
  EXPECT_EQ(planeCount(planes), 61U);
  EXPECT_EQ(print(planes), "61 planes y f32 data 17x3");
  // More bytes than 32 bits count.
  EXPECT_EQ(byteSize({Channels::rgba, Format::f32, ColourTag::data, {65536, 65536}, 0}), size_t{1} << 36);
}

}  // namespace
}  // namespace lacuna
