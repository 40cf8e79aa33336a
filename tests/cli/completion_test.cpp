// Help, completion and the manual page come from one description.

#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

// Words of the program's --help, or of a command's, that start with two dashes.
std::vector<std::string> longOptions(const std::vector<std::string>& words) {
  std::vector<std::string> options;
  const std::string help = runProgram(words).out;
  for (size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at + 2)) {
    const size_t end = help.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    if (end > at + 2)
      options.push_back(help.substr(at, end - at));
  }
  return options;
}

// For the program, or for a command that is a separate program.
std::vector<std::string> commands(std::vector<std::string> words = {}) {
  words.emplace_back("--help");
  std::vector<std::string> names;
  std::istringstream help(runProgram(words).out);
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    listed = listed ? !line.empty() : line == "Commands:";
    if (listed && line.front() == ' ' && line[2] != ' ')  // long descriptions go on below
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// Of every command, also those of `bench`: it goes to stdout, and fits a hundred columns.
TEST(Help, OfEachCommandFits) {
  std::vector<std::vector<std::string>> pages = {{}};
  for (const std::string& name : commands())
    pages.push_back({name});
  for (const std::string& name : commands({"bench"}))
    pages.push_back({"bench", name});
  EXPECT_GE(pages.size(), 19U + 10U);
  for (std::vector<std::string>& words : pages) {
    words.emplace_back("--help");
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("Usage: lacuna"), std::string::npos) << outcome.out;
    std::istringstream help(outcome.out);
    for (std::string line; std::getline(help, line);) {
      EXPECT_LE(line.size(), 100U) << words.front() << ": " << line;
      EXPECT_FALSE(line.ends_with(" ")) << words.front() << ": " << line;
    }
  }
}

TEST(Completion, EveryOptionOfTheHelpIsInEveryOutput) {
  std::map<std::string, std::vector<std::string>> helps;
  for (const std::string& name : commands())
    helps[name] = {name, "--help"};
  EXPECT_GE(helps.size(), 14U);
  for (const std::string& name : commands({"bench"}))
    helps["bench " + name] = {"bench", name, "--help"};
  EXPECT_GE(helps.size(), 24U);
  const std::string manual = runProgram({"manpage"}).out;
  std::map<std::string, std::string> scripts;
  for (const std::string shell : {"bash", "zsh", "fish"})
    scripts[shell] = runProgram({"completion", shell}).out;
  for (const auto& [name, words] : helps) {
    const auto options = longOptions(words);
    EXPECT_FALSE(options.empty()) << name;
    for (const auto& [shell, script] : scripts) {
      const std::string last = name.substr(name.find(' ') + 1);
      EXPECT_NE(script.find(last), std::string::npos) << shell << " " << name;
      for (const std::string& option : options) {
        const std::string written = shell == "fish" ? "-l " + option.substr(2) : option;
        EXPECT_NE(script.find(written), std::string::npos) << shell << " " << option;
      }
    }
    EXPECT_NE(manual.find("\\fBlacuna " + name + "\\fR"), std::string::npos) << name;
  }
  EXPECT_NE(manual.find(".TH LACUNA 1"), std::string::npos);
  EXPECT_NE(scripts["zsh"].find("'describe:print a module'\\''s connectors"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
