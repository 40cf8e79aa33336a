#include "graph/config/regex.h"

#include <gtest/gtest.h>

#include <clocale>
#include <stdexcept>

namespace lacuna {
namespace {

TEST(Regex, FindsWholeMatchesAndGroups) {
  const Regex range("([0-9.]+)( to ([0-9.]+))?");
  const auto match = range.find("tables 6.1 to 6.4 and 7");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->begin, 7U);
  EXPECT_EQ(match->end, 17U);
  EXPECT_EQ(match->groups, (std::vector<std::string>{"6.1 to 6.4", "6.1", " to 6.4", "6.4"}));
  EXPECT_EQ(range.find("tables 6.1 to 6.4 and 7", 17)->groups, (std::vector<std::string>{"7", "7", "", ""}));
  EXPECT_FALSE(range.find("tables"));
  EXPECT_FALSE(range.find(""));
}

// What precedes a match counts for ^ and \b, also behind another match.
TEST(Regex, ReplacesAllMatchesInTheirSurroundings) {
  EXPECT_EQ(Regex("([a-z])([0-9])").replace("a1, b2;", "$2$1[$0]"), "1a[a1], 2b[b2];");
  EXPECT_EQ(Regex(R"(\b[nb][0-9]+_)").replace("n0_n1_x, b12_y xn3_z", ""), "n1_x, y xn3_z");
  EXPECT_EQ(Regex("^a|b+").replace("aaba bb", "-"), "-a-a -");
  EXPECT_EQ(Regex(R"((.)X\1)").replace("2X2 3X4", "$1"), "2 3X4");
  EXPECT_EQ(Regex("x*").replace("axb", "-"), "-a--b-");
  EXPECT_EQ(Regex("b").replace(std::string("a\0b\n", 4), "c"), std::string("a\0c\n", 4));
  EXPECT_EQ(Regex("[0-9]").replace("", "-"), "");
}

TEST(Regex, TakesBytesInAnyLocale) {
  const std::string before = std::setlocale(LC_CTYPE, nullptr);
  std::setlocale(LC_CTYPE, "C.UTF-8");
  EXPECT_EQ(Regex(R"(\w)").replace("\xc3\xa9 e", "-"), "\xc3\xa9 -");
  EXPECT_EQ(Regex("^a(.*)$").find("a\xff\xc3")->groups[1], "\xff\xc3");
  std::setlocale(LC_CTYPE, before.c_str());
}

TEST(Regex, WrongPatternsAreReported) {
  EXPECT_THROW(Regex("a("), std::logic_error);
}

}  // namespace
}  // namespace lacuna
