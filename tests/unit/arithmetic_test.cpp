#include "graph/module/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "graph/module/description.h"
#include "tests/support/random.h"

namespace lacuna {
namespace {

std::optional<int64_t> number(std::string_view name) {
  return name == "width" ? std::optional<int64_t>(16)
         : name == "r"   ? std::optional<int64_t>(7)
                         : std::nullopt;
}

int64_t valueOf(std::string_view text) {
  const Formula formula(text);
  EXPECT_EQ(formula.mistake(), "") << text;
  EXPECT_EQ(formula.evaluate(number).unknown, "") << text;
  return formula.evaluate(number).value;
}

TEST(Arithmetic, ComputesAsWritten) {
  EXPECT_EQ(valueOf("42"), 42);
  EXPECT_EQ(valueOf("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(valueOf("(2*r + 31) / 32 * 32 + width"), 48);
  EXPECT_EQ(valueOf("max(r, width) * max(1, 2)"), 32);
  EXPECT_EQ(valueOf("7 / 2 * 2"), 6);
  EXPECT_EQ(valueOf("10 + (r - width) / 2"), 5);  // -9 / 2, rounded down
  EXPECT_EQ(valueOf("10 + r / (0 - 2)"), 6);
  EXPECT_EQ(valueOf("10 + (r - width) / (0 - 2)"), 14);
  EXPECT_EQ(valueOf("10 + (0 - 8) / 2"), 6);
}

TEST(Arithmetic, KnowsTheSizesOfInputs) {
  EXPECT_EQ(inputSize("shape_a.w")->input, "a");
  EXPECT_EQ(inputSize("shape_a.w")->place, 3U);
  EXPECT_EQ(inputSize("shape_left_side.x")->input, "left_side");
  EXPECT_EQ(inputSize("shape_left_side.x")->place, 0U);
  for (const char* none : {"shape_a", "shape_a.v", "shape_a.xy", "width", "sharp_a.x", "shape_a."})
    EXPECT_FALSE(inputSize(none).has_value()) << none;
  const auto result = Formula("2 * shape_a.z + 1").evaluate([](std::string_view name) {
    return name == "shape_a.z" ? std::optional<int64_t>(20) : std::nullopt;
  });
  EXPECT_EQ(result.value, 41);
  EXPECT_EQ(Formula("2.5 * width").mistake(), "'2.5' is not a number");
}

TEST(Arithmetic, ClampsWhatHasNoSense) {
  EXPECT_EQ(valueOf("3 - 5"), 0);
  EXPECT_EQ(valueOf("5 / (r - 7)"), 0);
  EXPECT_GT(valueOf("99999999999999999999 * 99999999999999999999"), 0);
  EXPECT_EQ(valueOf("(0 - 99999999999999999999) * 2"), 0);
  EXPECT_EQ(valueOf("(0 - 99999999999999999999) * (0 - 2)"), valueOf("99999999999999999999"));
}

TEST(Arithmetic, KnowsWhereItRounds) {
  for (const char* whole : {"width / 8", "2 * r / 14 * 3", "(r + 1) / (width / 2)"})
    EXPECT_FALSE(Formula(whole).evaluate(number).rounded) << whole;
  for (const char* rounded : {"r / 2", "width / (r - 7)", "r / 2 + width / 2", "max(1 / 2, width)", "4 / 8"})
    EXPECT_TRUE(Formula(rounded).evaluate(number).rounded) << rounded;
}

TEST(Arithmetic, NamesTheMistake) {
  EXPECT_EQ(Formula("2 + widht * wid").evaluate(number).unknown, "widht");
  EXPECT_EQ(Formula("2 *").mistake(), "it ends too early");
  EXPECT_EQ(Formula("(2 * 3").mistake(), "')' is missing");
  EXPECT_EQ(Formula("2 ! 3").mistake(), "'!' was not expected");
  EXPECT_EQ(Formula("2x").mistake(), "'2x' is not a number");
}

// Whatever the text, it ends and does not crash.
TEST(Arithmetic, RandomEndsOnAnything) {
  std::mt19937_64& random = test::testRandom();
  const std::string letters = "()+-*/, 019rwidthmax!";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t length = random() % 30; length > 0; --length)
      text += letters[random() % letters.size()];
    EXPECT_GE(Formula(text).evaluate(number).value, 0) << text;
  }
  EXPECT_NE(Formula(std::string(100000, '(')).mistake(), "");
}

TEST(VariantName, TellsConstants) {
  EXPECT_EQ(variantConstantIn("n4"), "n");
  EXPECT_EQ(variantConstantIn("rows12"), "rows");
  for (const char* wrong : {"", "n", "4", "n4x", "N4", "n-4", "image"})
    EXPECT_EQ(variantConstantIn(wrong), "") << wrong;
}

}  // namespace
}  // namespace lacuna
