#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "graph/values/native_type.h"

namespace lacuna {
namespace {

lacuna_type typeOf(uint32_t width, uint32_t height, uint32_t count, uint32_t channels = lacuna_y,
                   uint32_t format = lacuna_f32) {
  return {sizeof(lacuna_type), channels, format, lacuna_data, width, height, count, {}, {}};
}

lacuna_type shapedType(uint32_t count, const ArrayShape& shape) {
  lacuna_type type = typeOf(0, 0, count, lacuna_y, lacuna_f16);
  std::copy(shape.begin(), shape.end(), type.shape);
  return type;
}

TEST(NativeType, ComesBack) {
  const ValueType types[] = {
      {Channels::rgba, Format::u8, ColourTag::rec709, {640, 3}, 0},
      {Channels::any4, Format::u32, ColourTag::data, {}, 77},
      {Channels::y, Format::f32, ColourTag::data, {17, 3}, 61 * 51},
      {Channels::any2, Format::f16, ColourTag::data, {1, 1}, 1},
      {Channels::y, Format::f16, ColourTag::data, {}, 6, {2, 3}},
      {Channels::y, Format::f32, ColourTag::data, {}, 210, {1, 5, 6, 7}},
      {Channels::mosaic, Format::u16, ColourTag::data, {6000, 4001}, 0, {}, *patternFromName("x-trans")}};
  for (const ValueType& type : types)
    EXPECT_EQ(fromAbi(toAbi(type)), type) << print(type);
}

TEST(NativeType, ShapesAreThoseOfTheCount) {
  EXPECT_EQ(fromAbi(shapedType(6, {6}))->shape, ArrayShape{});  // the same as none
  EXPECT_EQ(fromAbi(shapedType(7, {2, 3})), std::nullopt);
  EXPECT_EQ(describeWrong(shapedType(7, {2, 3})), "7 elements in the shape (2, 3)");
  EXPECT_EQ(fromAbi(shapedType(2, {65536, 65536, 65536, 65536})), std::nullopt);
  lacuna_type planes = typeOf(17, 3, 51);
  planes.shape[0] = 51;
  EXPECT_EQ(fromAbi(planes), std::nullopt);
}

// Older code without shapes states a smaller size, and the bytes behind it are not its own.
TEST(NativeType, OfCodeThatKnowsNoShapes) {
  lacuna_type type = shapedType(6, {9, 9});
  type.size = offsetof(lacuna_type, shape);
  ASSERT_TRUE(fromAbi(type).has_value());
  EXPECT_EQ(*fromAbi(type), (ValueType{Channels::y, Format::f16, ColourTag::data, {}, 6}));
}

TEST(NativeType, MosaicsAreImagesWithAPattern) {
  lacuna_type type = typeOf(5, 3, 0, lacuna_mosaic);
  EXPECT_EQ(fromAbi(type)->pattern, MosaicPattern{});
  type.pattern[0] = 1;
  EXPECT_EQ(fromAbi(type), std::nullopt);
  EXPECT_EQ(describeWrong(type),
            "the pattern 00000001 00000000 00000000, which isn't one of 6x6 letters R, G and B");
  type.size = offsetof(lacuna_type, pattern);  // of code without shapes
  EXPECT_EQ(fromAbi(type)->pattern, MosaicPattern{});
  EXPECT_EQ(fromAbi(typeOf(0, 0, 15, lacuna_mosaic)), std::nullopt);
  EXPECT_EQ(describeWrong(typeOf(0, 0, 15, lacuna_mosaic)), "an array, but a mosaic is an image");
}

TEST(NativeType, PlanesAreWholeAndOfOneNumber) {
  EXPECT_EQ(fromAbi(typeOf(17, 3, 1000)), std::nullopt);
  EXPECT_EQ(describeWrong(typeOf(17, 3, 1000)),
            "channels 0, format 3, colour 2, 17 x 3 pixels, 1000 elements, which is not a whole number of "
            "planes of 17 x "
            "3 pixels "
            "with one 32-bit number each");
  EXPECT_EQ(fromAbi(typeOf(17, 3, 51, lacuna_rgba)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(17, 0, 51)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(17, 3, 51, 99)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(65536, 32768, 0x80000000U)), std::nullopt);
  EXPECT_EQ(
      describeWrong(typeOf(0, 3, 0)),
      "channels 0, format 3, colour 2, 0 x 3 pixels, 0 elements, which is neither an image nor an array");
}

}  // namespace
}  // namespace lacuna
