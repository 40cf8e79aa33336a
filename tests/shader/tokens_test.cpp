#include "graph/shader/generate/tokens.h"

#include "tests/shader/body_support.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

std::string joined(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens)
    text += token.text;
  return text;
}

TEST(Tokens, RandomJoinBackToAnyText) {
  std::mt19937_64& random = testRandom();
  const std::vector<std::string> pieces = {
      "float",   "x",  "_a1",   " ",     "\n",       "\t",   "//c\n", "/* a\n b */", "/*",
      "1.5e-3f", ".5", "0x1fu", "#if 1", "#d\\\n e", "{",    "}",     "+=",          "1e+",
      "\"s\"",   "é",  "//",    "*/",    "[",        "\r\n", "3."};
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (uint64_t n = random() % 40; n > 0; --n)
      text += pieces[random() % pieces.size()];
    ASSERT_EQ(joined(tokenize(text)), text);
  }
}

TEST(Tokens, KindsOfWords) {
  const auto tokens = tokenize("a.b 1.5e-3f /* x */ # define A \\\n 2\n-7u // y");
  std::vector<std::pair<TokenKind, std::string>> found;
  for (const Token& token : tokens)
    if (token.kind != TokenKind::space)
      found.emplace_back(token.kind, token.text);
  const std::vector<std::pair<TokenKind, std::string>> expected = {
      {TokenKind::identifier, "a"},   {TokenKind::symbol, "."},  {TokenKind::identifier, "b"},
      {TokenKind::number, "1.5e-3f"}, {TokenKind::symbol, "#"},  {TokenKind::identifier, "define"},
      {TokenKind::identifier, "A"},   {TokenKind::symbol, "\\"}, {TokenKind::number, "2"},
      {TokenKind::symbol, "-"},       {TokenKind::number, "7u"}};
  EXPECT_EQ(found, expected);  // a # behind anything else on its line is not a directive
}

TEST(Tokens, DirectivesTakeTheirContinuedLines) {
  const auto tokens = tokenize("  #define A(x) \\\n  (x)\nb");
  ASSERT_EQ(tokens[2].kind, TokenKind::directive);
  EXPECT_EQ(tokens[2].text, "#define A(x) \\\n  (x)");
  EXPECT_EQ(directiveWords(tokens[2].text), (std::vector<std::string>{"define", "A", "x", "x"}));
}

}  // namespace
}  // namespace lacuna::test
