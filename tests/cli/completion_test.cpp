// Help, completion and the manual page come from one description.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
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

void expectColumns(const std::string& text, const std::string& of) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::ranges::count_if(
        line, [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) != 0x80U; });
    EXPECT_LE(columns, 100) << of << ": " << line;
  }
}

// Of every command, also those of `bench`: it goes to stdout, fits a screen of 100 x 40, and begins with
// examples. `lacuna help` has the meaning of the options that it only names.
TEST(Help, OfEachCommandFits) {
  std::vector<std::vector<std::string>> pages = {{}};
  for (const std::string& name : commands())
    pages.push_back({name});
  for (const std::string& name : commands({"bench"}))
    pages.push_back({"bench", name});
  EXPECT_GE(pages.size(), 20U + 10U);
  for (std::vector<std::string>& words : pages) {
    const std::string name = words.empty() ? "" : words.front();
    words.emplace_back("--help");
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    expectColumns(outcome.out, name);
    EXPECT_LE(std::ranges::count(outcome.out, '\n'), 40) << name;
    EXPECT_EQ(outcome.out.find(" \n"), std::string::npos) << outcome.out;
    EXPECT_LT(outcome.out.find("\n\nExamples:\n  "), outcome.out.find("\n\nUsage: lacuna")) << outcome.out;
    if (name.empty() || name == "bench")
      continue;
    const std::string whole = runProgram({"help", name}).out;
    expectColumns(whole, "help " + name);
    for (const std::string& option : longOptions(words))
      EXPECT_NE(whole.find(option), std::string::npos) << name << " " << option;
    EXPECT_EQ(whole.find("explains"), std::string::npos) << whole;
  }
}

TEST(Help, DescriptionsAndPlansFit) {
  std::istringstream modules(runProgram({"modules"}).out);
  int count = 0;
  for (std::string line; std::getline(modules, line); ++count) {
    const std::string name = line.substr(0, line.find(' '));
    expectColumns(runProgram({"describe", name}).out, name);
  }
  EXPECT_GT(count, 50);
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(LACUNA_TEST_FOLDER) + "/../pipelines"))
    if (file.path().extension() == ".cfg")
      for (const char* more : {"--no-fuse", "--all", "--verbose"})
        expectColumns(runProgram({"plan", file.path().string(), "--model", "nvidia", more}).out,
                      file.path().string());
}

TEST(Completion, OffersEveryOptionOfTheHelp) {
  std::map<std::string, std::vector<std::string>> helps;
  for (const std::string& name : commands())
    helps[name] = {name, "--help"};
  EXPECT_GE(helps.size(), 15U);
  for (const std::string& name : commands({"bench"}))
    helps["bench " + name] = {"bench", name, "--help"};
  EXPECT_GE(helps.size(), 25U);
  const std::string manual = runProgram({"manpage"}).out;
  for (const auto& [name, words] : helps) {
    const auto options = longOptions(words);
    EXPECT_FALSE(options.empty()) << name;
    const std::string offered = runProgram({"__complete", "lacuna " + name + " -"}).out;
    for (const std::string& option : options)
      EXPECT_NE(offered.find(option + "\t"), std::string::npos) << name << " " << option;
    EXPECT_NE(manual.find("\\fBlacuna " + name + "\\fR"), std::string::npos) << name;
  }
  EXPECT_NE(manual.find(".TH LACUNA 1"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
