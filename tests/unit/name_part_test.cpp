// Texts from inside files as parts of files' names.

#include <gtest/gtest.h>

#include <filesystem>

#include "graph/files/file_name.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

TEST(NamePart, IsTheTextIfThatIsAName) {
  for (const char* text :
       {"ViewLayer.Combined", "a b", ".hidden", "%04d", "\xc3\xa9", "console", "a..b", "RGBA-"})
    EXPECT_EQ(namePartOf(text), text);
}

TEST(NamePart, HasNothingThatLeadsElsewhere) {
  const std::pair<const char*, const char*> cases[] = {{"", "_"},
                                                       {".", "_"},
                                                       {"..", "__"},
                                                       {"../a", ".._a"},
                                                       {"/etc/a", "_etc_a"},
                                                       {"a\\b", "a_b"},
                                                       {"a\nb\x1b", "a_b_"},
                                                       {"\xc2\x9b", "__"},
                                                       {"-", "_-"},
                                                       {".lacuna", "_.lacuna"},
                                                       {"nul.exr", "_nul.exr"},
                                                       {"COM1", "_COM1"}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(namePartOf(text), expected) << text;
}

TEST(NamePart, RandomTextsStayInTheFolder) {
  constexpr std::string_view letters("./\\-a\n\0\xc2\x85", 9);
  for (int i = 0; i < 2000; ++i) {
    std::string text(testRandom()() % 6, ' ');
    for (char& letter : text)
      letter = letters[testRandom()() % letters.size()];
    const std::filesystem::path part = namePartOf(text);
    EXPECT_EQ(part.filename(), part) << text;
    EXPECT_EQ(("a" / part).lexically_normal(), "a" / part) << text;
    EXPECT_EQ(namePartOf(part.string()), part.string()) << text;
  }
}

}  // namespace
}  // namespace lacuna::test
