// Completion and the manual page come from the description that --help comes from, and bash can use it.

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
    if (end > at + 2) {
      options.push_back(help.substr(at, end - at));
    }
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
    if (listed && line.front() == ' ' && line[2] != ' ') {  // long descriptions go on below
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

// The completions that bash offers for the last of the words, in a folder.
std::string offered(const std::string& words, const std::string& folder) {
  const std::string script = fmt::format(
      "cd '{}' && source <('{}' completion bash) && COMP_WORDS=('{}' {}) && "
      "COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) && _lacuna && printf '%s ' \"${{COMPREPLY[@]}}\"",
      folder, LACUNA_PROGRAM, LACUNA_PROGRAM, words);
  spill(folder + "/script", script);
  FILE* pipe = popen(("bash '" + folder + "/script' 2>&1").c_str(), "r");
  std::string out;
  char block[4096];
  while (const size_t read = fread(block, 1, sizeof block, pipe)) {
    out.append(block, read);
  }
  EXPECT_EQ(pclose(pipe), 0) << out;
  return out;
}

TEST(Completion, BashOffersWhatFits) {
  const Folder folder;
  spill(folder.file("graph.cfg"), "");
  spill(folder.file("notes.txt"), "");
  fs::create_directories(folder.file("mine"));
  const auto offers = [&](const std::string& words) { return offered(words, folder.path()); };
  EXPECT_EQ(offers("pl"), "plan ");
  EXPECT_EQ(offers("plan --sch"), "--schedule ");
  EXPECT_EQ(offers("plan --stage n"), "nodes ");
  EXPECT_EQ(offers("plan --stage = n"), "nodes ");
  EXPECT_EQ(offers("--version pla"), "plan ");
  EXPECT_EQ(offers("run g"), "graph.cfg ");
  EXPECT_EQ(offers("run n"), " ");  // nothing
  EXPECT_EQ(offers("run --modules ''"), "mine ");
  EXPECT_EQ(offers("describe atr"), "atrous-guided ");
  EXPECT_EQ(offers("run --schedule til"), "tiled ");
  EXPECT_EQ(offers("compare n"), "notes.txt ");
  EXPECT_EQ(offers("bench bilateral --candidates b"), "best ");
  EXPECT_EQ(offers("bench device --part l"), "latency ");
  EXPECT_EQ(offers("bench ge"), "gemm ");
  EXPECT_EQ(offers("bench rhf --rad"), " ");
}

TEST(Completion, EveryOptionOfTheHelpIsInEveryOutput) {
  std::map<std::string, std::vector<std::string>> helps;
  for (const std::string& name : commands()) {
    helps[name] = {name, "--help"};
  }
  EXPECT_GE(helps.size(), 14U);
  for (const std::string& name : commands({"bench"})) {
    helps["bench " + name] = {"bench", name, "--help"};
  }
  EXPECT_GE(helps.size(), 24U);
  const std::string manual = runProgram({"manpage"}).out;
  std::map<std::string, std::string> scripts;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    scripts[shell] = runProgram({"completion", shell}).out;
  }
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
