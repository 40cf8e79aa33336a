#pragma once
// The words of the command line as plain data, for the manual page and for shells.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lacuna {

struct OptionWords {
  std::vector<std::string> names;  // "-p" "--param"; of a positional: one name without dashes
  std::string help;
  std::string type;                   // of its value, as command_line.h lists them; empty: a flag
  std::vector<std::string> suggests;  // words that its value may be
  bool isFlag = false;
  bool repeats = false;
};

struct CommandWords {
  std::string name, help, footer;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;
};

struct ProgramWords {
  CommandWords program;  // what stands before a command
  std::vector<CommandWords> commands;
};

ProgramWords wordsOf(const CLI::App& app);

std::string joined(const std::vector<std::string>& words, const char* between);
std::string replaceAll(std::string text, const std::string& from, const std::string& to);

}  // namespace lacuna
