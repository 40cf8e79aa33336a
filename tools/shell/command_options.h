#pragma once
// Options that several commands have; the format of --help; suggestions for unknown words.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "tools/shell/arguments.h"

namespace lacuna {

// One of some words; help shows them, and a wrong one gets the nearest.
void oneOf(CLI::Option* option, const std::vector<std::string>& words);

// The condition on an option's value, with messages that show it.
CLI::Validator countFrom(int64_t least, int64_t most);
CLI::Validator notEmpty(const std::string& expected);  // words for the expected value
CLI::Validator anyNumber();
CLI::Validator numberFromZero();
CLI::Validator numberIn(double least, double most);
CLI::Validator byteSize();  // "500MB" -> "524288000"

// An option that may repeat, with one value each time, so that further words don't belong to it.
CLI::Option* addList(CLI::App& command, const char* name, std::vector<std::string>& values, const char* help);

void addModules(CLI::App& command, std::vector<std::string>& modules);
void addDevice(CLI::App& command, std::string& device);
void addJson(CLI::App& command, bool& json);
void addGraph(CLI::App& command, std::string& graph);
void addGraphs(CLI::App& command, std::vector<std::string>& graphs);
void addGraphSettings(CLI::App& command, GraphArguments& a);  // modules, parameters, schedules, the device
void addSettings(CLI::App& command, GraphArguments& a);       // these, with inputs and outputs
void addPasses(CLI::App& command, GraphArguments& a);
void addMemory(CLI::App& command, GraphArguments& a);
void addFrames(CLI::App& command, GraphOptions& a);
void addRunOptions(CLI::App& command, RunArguments& a);  // frames, error handling, progress

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();
  std::string make_option(const CLI::Option* option, bool isPositional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
};

// "unknown WHAT 'nods'; did you mean 'nodes'?", or with all known words if none is near.
std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);

// Reports on stderr the mistake in the program's words. Returns the exit code.
int complainOfWords(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lacuna
