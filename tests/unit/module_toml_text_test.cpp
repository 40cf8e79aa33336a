#include <gtest/gtest.h>

#include "graph/config/toml_reader.h"

namespace lacuna {
namespace {

TEST(TomlText, RightTextsPass) {
  const std::string text =
      "# ü [ } \n[table]\n[ spaced . name ]\n[[\"quoted ü\"]]\na = \"ö \\\" [\" # } ß\nb = 'é \\'\n"
      "c = [\n  [1, 2],\n  [\"]ü\"],\n  [{ x = [1] }], # [ ü\n]\n"
      "d = \"\"\"\n[ü\n} \\\"\"\" \"\"\"\ne = '''\nö ' '' [x\n'''\n[last]\nf = {}\n[]\n";
  const auto found = findUnsafeToml(text);
  EXPECT_FALSE(found.has_value()) << found->offset << ": " << found->message;
}

TEST(TomlText, FindsWhatTheParserCannotTake) {
  const std::vector<std::pair<std::string, size_t>> wrong = {
      {"a = 1\nb = ö\n", 10},  {"\xcb\x97i;", 0},     {"[[:x]]\n", 0},  {"a = 1\n  [ =]", 8},
      {"a = [1, }\n", 8},      {"a = [\n[}", 7},      {"a = 'x'ü", 7},  {"a = \"\"\"x\"\"\"ü", 11},
      {"a = [1]\n[ :x]\n", 8}, {"[x] # ü\n[y]ü", 12}, {"'' = 1\nü", 7}, {"x = ∞", 4},
      {"\xf0\x9f\x99\x82", 0},
  };
  for (const auto& [text, offset] : wrong) {
    const auto found = findUnsafeToml(text);
    ASSERT_TRUE(found.has_value()) << text;
    EXPECT_EQ(found->offset, offset) << text;
  }
}

}  // namespace
}  // namespace lacuna
