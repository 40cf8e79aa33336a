#pragma once
// The words of the command line as plain data, for --help, the manual page and shells, and what is said of
// wrong ones.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class FormatterBase;
class Option;
class ParseError;
}  // namespace CLI

namespace lacuna {

struct OptionWords {
  std::vector<std::string> names;  // "-p" "--param"; of a positional: one name without dashes
  std::string help;
  std::string type;                   // type of its value, as command_line.h lists them; empty for a flag
  std::vector<std::string> suggests;  // possible words of its value
  bool isFlag = false;
  bool repeats = false;
};

struct CommandWords {
  std::string name, help, footer;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;

  bool isPart() const { return name.find(' ') != std::string::npos; }  // "bench gemm": of the command bench
};

struct ProgramWords {
  CommandWords program;  // the words before a command
  std::vector<CommandWords> commands;
};

ProgramWords wordsOf(const CLI::App& app);

// The request to a program that is a command of another one for its words, and the answer: JSON of the
// program, as a command of that name, and of its own commands, "bench gemm".
constexpr const char* wordsOption = "--words-of-all-commands";
std::string wordsText(const std::function<void(CLI::App& app, int& code)>& describe, const std::string& name);
std::vector<CommandWords> commandsOf(const std::string& text);

// "nodes" "cull" for an option that takes one of some words; empty for others.
std::vector<std::string> choicesOf(const CLI::Option& option);

// The format of --help: examples, then names on the left, their meaning on the right, in 100 columns and at
// most 40 rows: of options in the group of this name only names, unless `all`.
std::shared_ptr<CLI::FormatterBase> helpFormat(bool all = false);
constexpr const char* moreOptions = "More options";
std::string manualPage(const ProgramWords& words, const std::string& version);  // roff, section 1

// "unknown WHAT 'nods'; did you mean 'nodes'?", or with all known words if none is near.
std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);
// Reports on stderr the mistake in the program's words. Returns the exit code.
int complainOfWords(const CLI::App& app, const CLI::ParseError& error);

// Lines that don't fit into 100 columns go on in the next line: below this column, or below their text behind
// a gap of two spaces.
std::string inColumns(std::string_view text, size_t from = 0);
size_t columnsOf(std::string_view text);  // of UTF-8

std::string joined(const std::vector<std::string>& words, const char* between);
std::string replaceAll(std::string text, const std::string& from, const std::string& to);

}  // namespace lacuna
