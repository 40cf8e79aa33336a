#pragma once
// Options that several commands have.

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "graph/values/image_type.h"
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

// "1920x1080": two whole numbers from 1 to 999999999, with an x between them; nullopt for other text.
std::optional<Extent> parseSize(const std::string& text);

// An option with a value; `type` is the value's in help and completion.
template <typename Value>
CLI::Option* addValue(CLI::App& command, const char* name, Value& value, const char* type,
                      const std::string& help) {
  return command.add_option(name, value, help)->type_name(type);
}
template <typename Value>
CLI::Option* addValue(CLI::App& command, const char* name, Value& value, const char* type,
                      const std::string& help, const CLI::Validator& check) {
  return addValue(command, name, value, type, help)->check(check);
}
template <typename Value>
CLI::Option* addFile(CLI::App& command, const char* name, Value& value, const std::string& help,
                     const char* type = "FILE") {
  return addValue(command, name, value, type, help, notEmpty("the name of a file"));
}

// An option that may repeat, with one value each time, so that further words don't belong to it.
CLI::Option* addList(CLI::App& command, const char* name, std::vector<std::string>& values, const char* help);

// --help lists these by name alone.
void tuck(CLI::App& command, std::initializer_list<const char*> options);

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

}  // namespace lacuna
