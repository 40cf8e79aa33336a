#pragma once
// The command line as CLI11 knows it: the one description that parsing, help, the man page, shell completion
// and suggestions come from.

#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/shell/command_words.h"

namespace lacuna {

// Options of all commands together; each command fills in its own.
struct Arguments {
  DenoiseArguments denoise;
  RunArguments run;
  WatchArguments watch;
  InfoArguments info;
  ShowArguments show;
  CheckArguments check;
  PlanArguments plan;
  CacheArguments cache;
  TuneArguments tune;
  ExportArguments exported;
  DrawArguments draw;
  NewArguments create;
  TestArguments test;
  CompareArguments compare;
  LspArguments lsp;
  std::vector<std::string> formatted, modulePath;
  std::string name, shell;
  bool json = false, checkOnly = false;
};

// Adds all commands to the app. The parsed one runs and sets `code`. The names of option and argument types
// determine their completion: GRAPH, FILE, IMAGE, DIR, MODULE, SCHEDULE, DEVICE, or {a,b,c} for those words
// and no others.
void describe(CLI::App& app, Arguments& arguments, int& code);

// The words of the app, with those of programs that are commands.
ProgramWords allWords(const CLI::App& app);

// `lacuna __complete LINE` prints what may stand at the end of a command line: in each line the whole word, a
// tab and what it means.
int runComplete(const std::string& line);
std::string completionScript(const std::string& shell);  // bash, zsh, fish: asks for these

void describeDenoise(CLI::App& command, Arguments& arguments);
void describeCompare(CLI::App& command, Arguments& arguments);
void describeExport(CLI::App& command, Arguments& arguments);

}  // namespace lacuna
