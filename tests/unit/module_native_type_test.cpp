#include <gtest/gtest.h>

#include "graph/module/native_type.h"

namespace lacuna {
namespace {

lacuna_type typeOf(uint32_t width, uint32_t height, uint32_t count, uint32_t channels = lacuna_y,
                   uint32_t format = lacuna_f32) {
  return {sizeof(lacuna_type), channels, format, lacuna_data, width, height, count};
}

TEST(NativeType, ComesBack) {
  const ValueType types[] = {{Channels::rgba, Format::u8, ColourTag::rec709, {640, 3}, 0},
                             {Channels::any4, Format::u32, ColourTag::data, {}, 77},
                             {Channels::y, Format::f32, ColourTag::data, {17, 3}, 61 * 51},
                             {Channels::any2, Format::f16, ColourTag::data, {1, 1}, 1}};
  for (const ValueType& type : types)
    EXPECT_EQ(fromAbi(toAbi(type)), type) << print(type);
}

TEST(NativeType, PlanesAreWholeAndOfOneNumber) {
  EXPECT_EQ(fromAbi(typeOf(17, 3, 1000)), std::nullopt);
  EXPECT_EQ(describeWrong(typeOf(17, 3, 1000)),
            "channels 0, format 3, colour 2, 17 x 3 pixels, 1000 elements, which is no whole planes of 17 x "
            "3 pixels "
            "with one 32-bit number each");
  EXPECT_EQ(fromAbi(typeOf(17, 3, 51, lacuna_rgba)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(17, 0, 51)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(17, 3, 51, 99)), std::nullopt);
  EXPECT_EQ(fromAbi(typeOf(65536, 32768, 0x80000000U)), std::nullopt);
  EXPECT_EQ(describeWrong(typeOf(0, 3, 0)),
            "channels 0, format 3, colour 2, 0 x 3 pixels, 0 elements, which is no image and no array");
}

}  // namespace
}  // namespace lacuna
