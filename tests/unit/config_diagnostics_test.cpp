#include <gtest/gtest.h>

#include "graph/config/byte_size.h"
#include "graph/config/diagnostics.h"
#include "graph/config/text.h"

namespace lacuna {
namespace {

TEST(Diagnostics, RendersLineCaretAndHint) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("graph.cfg", "lacuna:1\nparam:svgf:01:levls:4\n");
  diagnostics.error({file, 2, 15, 5}, "svgf:01 has no parameter 'levls'", "did you mean 'levels'?");
  EXPECT_EQ(diagnostics.render(),
            "graph.cfg:2:15: error: svgf:01 has no parameter 'levls'\n"
            "  param:svgf:01:levls:4\n"
            "                ^~~~~\n"
            "  hint: did you mean 'levels'?\n");
}

TEST(Diagnostics, SortsByFileLineColumnAndDropsRepeats) {
  Diagnostics diagnostics;
  const int first = diagnostics.addFile("a", "x\ny\n");
  const int second = diagnostics.addFile("b", "z\n");
  diagnostics.error({second, 1, 1, 1}, "last");
  diagnostics.error({first, 2, 1, 1}, "third");
  diagnostics.error({first, 1, 2, 1}, "second");
  diagnostics.error({first, 1, 1, 1}, "first");
  diagnostics.error({first, 1, 2, 1}, "second");
  std::vector<std::string> messages;
  for (const Diagnostic& each : diagnostics.sorted())
    messages.push_back(each.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"first", "second", "third", "last"}));
}

TEST(Diagnostics, ErrorsNameTheOptionThatTheyComeFrom) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a.cfg", "one\ntwo\n");
  const int option = diagnostics.addOption("-p eaw:01:levels=0");
  diagnostics.error({option}, "'levels' is 0", "another");
  EXPECT_EQ(diagnostics.render(),
            "lacuna: error: 'levels' is 0 (from -p eaw:01:levels=0)\n  hint: another\n");
  EXPECT_EQ(diagnostics.place({option}), "-p eaw:01:levels=0");
  EXPECT_EQ(diagnostics.place({file, 2, 1, 1}), "a.cfg:2");
  EXPECT_EQ(diagnostics.place({}), "");
  EXPECT_EQ(diagnostics.fileNames(), std::vector<std::string>{"a.cfg"});
}

TEST(Diagnostics, ErrorsWithoutAFileOrLine) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a.cfg", "");
  diagnostics.error({file, 0, 0, 1}, "unreadable");
  diagnostics.error({}, "no such option");
  EXPECT_EQ(diagnostics.render(), "lacuna: error: no such option\na.cfg: error: unreadable\n");
  EXPECT_TRUE(diagnostics.hasErrors());
  EXPECT_EQ(Diagnostics().render(), "");
}

TEST(Diagnostics, CaretStandsUnderCharactersNotBytes) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a", "\tgröße:x\n");
  diagnostics.error({file, 1, 10, 1}, "here");  // ö and ß take two bytes each
  EXPECT_EQ(diagnostics.render(), "a:1:10: error: here\n  \tgröße:x\n  \t      ^\n");
}

TEST(Diagnostics, ShowsAWindowOfALongLine) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a", std::string(5000, 'a') + "!" + std::string(5000, 'b'));
  diagnostics.error({file, 1, 5001, 1}, "here");
  const std::string text = diagnostics.render();
  const auto shown = splitLines(text);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_LT(shown[1].size(), 300U);
  EXPECT_EQ(shown[1][shown[2].find('^')], '!');
}

// A message about a file that a module reads, already in this form.
TEST(Diagnostics, FurtherLinesStandBelowTheExcerpt) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a.cfg", "module:reader:01\n");
  diagnostics.error({file, 1, 8, 6}, "the scene has errors:\nb.scene:2:1: error: no\x01\n  no\n  ^~",
                    "mend it");
  EXPECT_EQ(diagnostics.render(),
            "a.cfg:1:8: error: the scene has errors:\n  module:reader:01\n         ^~~~~~\n"
            "b.scene:2:1: error: no?\n  no\n  ^~\n  hint: mend it\n");
}

TEST(DidYouMean, FindsTheNearest) {
  const std::vector<std::string> names = {"levels", "noise", "edges", "gains"};
  EXPECT_EQ(didYouMean("levls", names), "did you mean 'levels'?");
  EXPECT_EQ(didYouMean("Noise", names), "did you mean 'noise'?");
  EXPECT_EQ(didYouMean("nosie", names), "did you mean 'noise'?");
  EXPECT_EQ(didYouMean("strength", names), "");
  EXPECT_EQ(didYouMean("", names), "");
  const std::vector<std::string> longer = {"cnn-unet", "rows2", "rows3"};
  EXPECT_EQ(didYouMean("CNN", longer), "did you mean 'cnn-unet'?");
  EXPECT_EQ(didYouMean("cn", longer), "");
  EXPECT_EQ(didYouMean("r", longer) + didYouMean("row", std::vector<std::string>{"rows22", "rows33"}), "");
  EXPECT_EQ(didYouMean("01", std::vector<std::string>{"02"}), "");
}

TEST(Diagnostics, AreNotMoreThanAReaderWants) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("graph.cfg", std::string(100'000, '\n'));
  for (int line = 100'000; line >= 1; --line)
    diagnostics.error({file, line, 1, 1}, "wrong");
  EXPECT_EQ(diagnostics.sorted().size(), 1001U);
  EXPECT_TRUE(diagnostics.render().ends_with("lacuna: error: only the first 1000 errors are shown\n"));
  EXPECT_LT(diagnostics.render().size(), 100'000U);
}

TEST(Diagnostics, CutLongMessages) {
  Diagnostics diagnostics;
  std::string umlauts;
  for (int i = 0; i < 1 << 20; ++i)
    umlauts += "ä";
  diagnostics.error({}, "x" + umlauts + "\nsecond", umlauts);
  diagnostics.error({}, std::string(1 << 20, '\n'));
  const std::string text = diagnostics.render();
  EXPECT_LT(text.size(), 200'000U);
  EXPECT_EQ(text.find('?'), std::string::npos) << "a character was cut in two";
  EXPECT_NE(text.find("ä...\nsecond\n"), std::string::npos);
  Diagnostics plain;
  plain.error({}, std::string(4000, 'a'), std::string(4000, 'b'));
  EXPECT_EQ(plain.render(),
            "lacuna: error: " + std::string(4000, 'a') + "\n  hint: " + std::string(4000, 'b') + "\n");
}

// Escape codes would be commands to the terminal.
TEST(Diagnostics, NamesOfFilesArePrintable) {
  Diagnostics diagnostics;
  const int file = diagnostics.addFile("a\x1b[31mb\nc\xc2\x9b\xff.cfg", "x\n");
  diagnostics.error({file, 1, 1, 1}, "wrong");
  EXPECT_TRUE(diagnostics.render().starts_with("a?[31mb?c???.cfg:1:1: error: wrong\n"))
      << diagnostics.render();
  EXPECT_EQ(printable("ä\tb\xc2\xa0"), "ä\tb\xc2\xa0");
}

TEST(Text, FindsBytesThatAreNoText) {
  EXPECT_EQ(firstByteNotText("plain, größe, 漢字, 🙂"), std::nullopt);
  EXPECT_EQ(firstByteNotText(std::string("ab\0c", 4)), 2U);
  EXPECT_EQ(firstByteNotText("ab\xC0\x80"), 2U);         // overlong
  EXPECT_EQ(firstByteNotText("\xED\xA0\x80"), 0U);       // surrogate
  EXPECT_EQ(firstByteNotText("a\xF4\x90\x80\x80"), 1U);  // above U+10FFFF
  EXPECT_EQ(firstByteNotText("abc\xE2\x82"), 3U);        // cut off
  EXPECT_EQ(firstByteNotText("\x80"), 0U);
}

TEST(Text, SplitsLines) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ(splitLines("a\r\nb\n\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(splitLines("a\n"), Lines{"a"});
  EXPECT_TRUE(splitLines("").empty());
}

TEST(Text, ReadsNumbers) {
  EXPECT_EQ(parseNumber("-1.5e3"), -1500.0);
  EXPECT_EQ(parseNumber("+2"), 2.0);
  EXPECT_EQ(parseNumber(".5"), 0.5);
  EXPECT_EQ(parseNumber("1.5x"), std::nullopt);
  EXPECT_EQ(parseNumber("+-1"), std::nullopt);
  EXPECT_EQ(parseNumber(""), std::nullopt);
  EXPECT_EQ(parseNumber("+"), std::nullopt);
  EXPECT_EQ(parseInteger("-7"), -7);
  EXPECT_EQ(parseInteger("7.0"), std::nullopt);
  EXPECT_EQ(parseInteger("99999999999999999999"), std::nullopt);
}

TEST(Text, ReadsSizes) {
  const std::pair<const char*, uint64_t> sizes[] = {
      {"1", 1},        {"1B", 1},           {"1.5 b", 1},          {"1k", 1U << 10U},
      {"1.5KB", 1536}, {"2MiB", 1U << 21U}, {"0.5gib", 1U << 29U}, {"8388607T", uint64_t{8388607} << 40U}};
  for (const auto& [text, bytes] : sizes)
    EXPECT_EQ(parseBytes(text), bytes) << text;
  for (const char* wrong : {"", "0", "0.9", "-1", "8388608T", "B", "1X", "1-", "1KBs", "1kk", "1.2.3", "1i"})
    EXPECT_EQ(parseBytes(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace lacuna
