// Formatted graph files: the same words in the standard format.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "graph/config/config.h"
#include "graph/config/text.h"
#include "tests/support/random.h"

namespace lacuna {
namespace {

std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const auto result = formatConfig(text, "graph.cfg", diagnostics);
  EXPECT_EQ(diagnostics.render(), "") << text;
  return result.value_or("");
}

TEST(Format, SpacesQuotesAndLineEnds) {
  EXPECT_EQ(
      formatted(
          "\xEF\xBB\xBF# top\r\n\r\n\r\n lacuna : 1 \r\n\tmodule:\"i-png\" : 01 : +1 : -2.50   # source\r\n"
          "param:i-png:01:filename: a/b.png\r\nparam:m:01:name:\"x\"\n"
          "param:m:01:gains: 1 : 2.0:\"\"\n\n\n"
          "keyframe:3:m:01:curve:linear:\"linear\"\nkeyframe:4:m:01:curve:1:linear # smooth   "),
      "# top\n\nlacuna:1\nmodule:i-png:01:+1:-2.50 # source\n"
      "param:i-png:01:filename:\"a/b.png\"\nparam:m:01:name:\"x\"\n"
      "param:m:01:gains:1:2.0:\"\"\n\n"
      "keyframe:3:m:01:curve:linear:\"linear\"\nkeyframe:4:m:01:curve:1:linear # smooth\n");
}

TEST(Format, EmptyLinesAtTheEndsGo) {
  EXPECT_EQ(formatted("\n \n# top\nlacuna:1\n\n\n"), "# top\nlacuna:1\n");
}

TEST(Format, CommentsOfNeighboursStartInOneColumn) {
  EXPECT_EQ(formatted("lacuna:1 #a\nparam:m:1:n:\"é\"   # b\n# c\nfps:1    # d\nmodule:m:1\n"),
            "lacuna:1        #a\nparam:m:1:n:\"é\" # b\n# c\nfps:1 # d\nmodule:m:1\n");
}

TEST(Format, LeavesTextWithErrorsAlone) {
  for (const std::string text : {"", "module:a:b\n", "lacuna:1\nmodul:a:b\n", "lacuna:1\nmodule:a\n",
                                 "lacuna:1\nparam:a:b:c:\"x\n", "lacuna:1\ninclude:no/such.cfg\n"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(formatConfig(text, "graph.cfg", diagnostics)) << text;
    EXPECT_TRUE(diagnostics.hasErrors()) << text;
  }
}

class RandomFile {
 public:
  explicit RandomFile(std::mt19937_64& random) : random_(random) {}

  std::string text() {
    std::string out = below(3) == 0 ? "\xEF\xBB\xBF" : "";
    out += noise() + line({"lacuna", "1"});
    for (int i = below(12); i > 0; --i)
      out += noise() + statement();
    return out + noise();
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string pick(const std::vector<std::string>& from) {
    return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
  }
  std::string space() { return pick({"", "", " ", "\t", "   "}); }
  std::string end() { return pick({"", "", "", " # why", "\t#\"odd: \\ # text \t "}) + pick({"\n", "\r\n"}); }
  std::string name() { return pick({"a", "i-png", "01", "m_2", "linear", "step", "-3", "X"}); }
  std::string number() { return pick({"1", "-2.5", "+3e-2", "007", "1e30"}); }
  std::string noise() {
    std::string out;
    for (int i = below(4); i > 0; --i)
      out += pick({"", " ", "# a comment", "\t#", "  # indented"}) + pick({"\n", "\r\n"});
    return out;
  }

  std::string line(const std::vector<std::string>& words) {
    std::string out = space();
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const bool bare = !word.empty() && word.find_first_of(" :\"\\#\t") == std::string::npos;
      const bool quoted = !bare || (i > 0 && below(3) == 0);
      out += (i == 0 ? "" : ":") + space() + (quoted ? quote(word) : word) + space();
    }
    return out + end();
  }

  std::string statement() {
    std::vector<std::string> words;
    switch (below(4)) {
      case 0:
        words = {"module", name(), name()};
        if (below(2) == 0)
          words.insert(words.end(), {number(), number()});
        return line(words);
      case 1:
        return line({pick({"connect", "feedback"}), name(), name(), name(), name(), name(), name()});
      default:
        words = {"param", name(), name(), name()};
        if (below(2) == 0)
          words = {"keyframe", std::to_string(below(99)), name(), name(), name()};
        for (int i = 1 + below(3); i > 0; --i) {
          words.push_back(
              pick({number(), name(), "", "a b", "c:d", "\"q\"", "\\", "dir/x#1.png", "é", "# no"}));
        }
        return line(words);
    }
  }

  std::mt19937_64& random_;
};

// All of a graph but places and quotes.
std::string meaning(const std::string& text) {
  Diagnostics diagnostics;
  const Config config = parseConfigText(text, "graph.cfg", diagnostics);
  EXPECT_EQ(diagnostics.render(), "") << text;
  std::string out = fmt::format("{} {}\n", config.frames.value_or(1), config.framesPerSecond);
  for (const ModuleLine& line : config.modules) {
    out += "module " + line.owner.name();
    out += line.position ? fmt::format(" {} {}\n", (*line.position)[0], (*line.position)[1]) : "\n";
  }
  for (const ConnectLine& line : config.connections) {
    out += fmt::format("{} {} {} {} {}\n", line.feedback, line.from.owner.name(), line.from.connector.text,
                       line.to.owner.name(), line.to.connector.text);
  }
  for (const auto* lines : {&config.params, &config.keyframes}) {
    for (const ParamLine& line : *lines) {
      out += fmt::format("{} {} {} {}", line.frame.value_or(-1), line.owner.name(), line.name.text,
                         static_cast<int>(line.interpolation));
      for (const Word& value : line.values)
        out += fmt::format(" [{}]", value.text);
      out += "\n";
    }
  }
  return out;
}

std::vector<std::string> comments(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string_view line : splitLines(text)) {
    const size_t at = line.find_last_not_of(" \t");
    for (const std::string_view comment : {"# why", "#\"odd: \\ # text", "# a comment", "# indented"})
      if (at != std::string_view::npos && line.substr(0, at + 1).ends_with(comment))
        found.emplace_back(comment);
  }
  return found;
}

TEST(Format, RandomFilesKeepTheirMeaning) {
  RandomFile file(test::testRandom());
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    const std::string text = file.text();
    const std::string once = formatted(text);
    ASSERT_EQ(meaning(once), meaning(text)) << text << "\nbecame\n" << once;
    ASSERT_EQ(formatted(once), once) << text;
    ASSERT_EQ(comments(once), comments(text)) << text;
    EXPECT_EQ(once.find("\r"), std::string::npos);
    EXPECT_EQ(once.find("\n\n\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace lacuna
