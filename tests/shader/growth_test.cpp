// Bodies that no compiler would finish are refused before one sees them.

#include <fmt/format.h>

#include "graph/shader/generate/body_check.h"
#include "tests/shader/body_support.h"

namespace lacuna::test {
namespace {

std::string growth(const std::string& body) {
  const std::vector<Token> tokens = tokenize(body);
  const Outline outline = outlineOf(tokens);
  const BodyMistakes mistakes = growthMistakes(outline);
  return mistakes.empty() ? "" : fmt::format("{}: {}", mistakes[0].line, mistakes[0].message);
}

// f0, f1 and so on, each of which calls the one before twice.
std::string doublingFunctions(int count) {
  std::string text = "float f0(float x) { return x * x; }\n";
  for (int i = 1; i < count; ++i)
    text += fmt::format("float f{0}(float x) {{ return f{1}(x) + f{1}(x + 1.0); }}\n", i, i - 1);
  return text;
}

std::string doublingMacros(int count) {
  std::string text = "#define M0 x + x\n";
  for (int i = 1; i < count; ++i)
    text += fmt::format("#define M{0} M{1} + M{1}\n", i, i - 1);
  return text + fmt::format("float last(float x) {{ return M{}; }}\n", count - 1);
}

TEST(Growth, OfFunctions) {
  EXPECT_EQ(growth(doublingFunctions(10)), "");
  EXPECT_EQ(growth(doublingFunctions(60)).substr(0, 19), "22: 'f21' grows to ")
      << growth(doublingFunctions(60));
}

TEST(Growth, OfMacros) {
  EXPECT_EQ(growth(doublingMacros(10)), "");
  EXPECT_EQ(growth(doublingMacros(60)).substr(0, 20), "61: 'last' grows to ") << growth(doublingMacros(60));
}

TEST(Growth, OfMacrosWithArguments) {
  std::string nested = "x";
  for (int i = 0; i < 40; ++i)
    nested = fmt::format("TWICE({})", nested);
  const std::string twice = "#define TWICE(a) ((a) + (a))\n";
  EXPECT_EQ(growth(twice + "float last(float x) { return " + nested + "; }\n").substr(0, 19),
            "2: 'last' grows to ");
  EXPECT_EQ(growth(twice + "float last(float x) { return TWICE(TWICE(x)); }\n"), "");
  // The parenthesis behind a space is part of the text: nothing is doubled.
  std::string plain = "x";
  for (int i = 0; i < 40; ++i)
    plain = fmt::format("ONCE({})", plain);
  EXPECT_EQ(growth("#define ONCE (a) + (a)\nfloat last(float x) { return " + plain + "; }\n"), "");
}

// Nothing is expanded within itself, and brackets may nest deeply.
TEST(Growth, ComesToAnEndItself) {
  EXPECT_EQ(growth("#define A B\n#define B A\nfloat f(float x) { return f(A) + g(B); }\nfloat g(float x) { "
                   "return f(x); }\n"),
            "");
  const std::string deep = std::string(2000, '(') + "x" + std::string(2000, ')');
  EXPECT_EQ(growth("float f(float x) { return sin" + deep + "; }\n"), "");
}

TEST(Growth, KeepsBodiesFromTheCompiler) {
  const Folder folder;
  folder.write("main.glsl", doublingFunctions(60) + "void apply(Inputs i, inout Outputs o, Pixel p) {}\n");
  BodyRequest request;
  request.folder = folder.path();
  request.file = "main.glsl";
  request.prefix = "n0";
  EXPECT_THROW(loadBody(request), ShaderSourceError);
}

}  // namespace
}  // namespace lacuna::test
