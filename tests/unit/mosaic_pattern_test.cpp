#include <gtest/gtest.h>

#include "graph/nodes/node_graph.h"

namespace lacuna {
namespace {

TEST(MosaicPattern, MovesWithTheFirstPixel) {
  for (const char* name : {"rggb", "grbg", "gbrg", "bggr", "x-trans", "none"}) {
    const MosaicPattern from = patternFromName(name).value();
    for (const uint32_t x : {0U, 1U, 2U, 7U, 13U})
      for (const uint32_t y : {0U, 1U, 5U, 6U})
        for (uint32_t i = 0; i < 144; ++i)
          ASSERT_EQ(letterAt(movedTo(from, {x, y}), {i % 12, i / 12}),
                    letterAt(from, {i % 12 + x, i / 12 + y}));
  }
}

TEST(MosaicPattern, StatesOfOtherChannelsHaveNone) {
  const ValueType mosaic{Channels::mosaic,        Format::u16, ColourTag::data, {64, 48}, 0, {},
                         *patternFromName("rggb")};
  Node stencil;
  NodeDescription description;
  stencil.description = &description;
  EXPECT_EQ(stateTypeOf(stencil, mosaic), mosaic);
  description.stencil.state.channels = Channels::rgba;
  EXPECT_EQ(stateTypeOf(stencil, mosaic).pattern, MosaicPattern{});
}

TEST(MosaicPattern, NamesReadBack) {
  for (const char* name : {"rggb", "grbg", "gbrg", "bggr", "none", "rrgb"})
    EXPECT_EQ(lacuna::name(patternFromName(name).value()), name);
  const std::string xTrans = "ggrggbggbggrbrgrbgggbggrggrggbrbgbrg";
  EXPECT_EQ(lacuna::name(*patternFromName("x-trans")), xTrans);
  EXPECT_EQ(patternFromName(xTrans), patternFromName("x-trans"));
  for (const char* wrong : {"", "rgb", "rgg-", "RGGB", "rgcy", "rggbrggb"})
    EXPECT_EQ(patternFromName(wrong), std::nullopt) << wrong;
}

TEST(MosaicPattern, OnlyLettersEverywhereOrNowhere) {
  EXPECT_TRUE(isPattern(MosaicPattern{}));
  for (const char* name : {"rggb", "x-trans"})
    EXPECT_TRUE(isPattern(*patternFromName(name)));
  EXPECT_FALSE(isPattern(MosaicPattern{{1, 0, 0}}));
  MosaicPattern beside = *patternFromName("rggb");
  beside.words[1] |= 1U << 24U;
  EXPECT_FALSE(isPattern(beside));
  EXPECT_TRUE(isBayer(*patternFromName("grbg")));
  EXPECT_FALSE(isBayer(*patternFromName("x-trans")));
  EXPECT_FALSE(isBayer({}));
}

}  // namespace
}  // namespace lacuna
