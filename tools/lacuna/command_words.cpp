#include "tools/lacuna/command_words.h"

#include <algorithm>

#include "graph/compile/stencil_schedule.h"
#include "tools/lacuna/command_line.h"

namespace lacuna {
namespace {

std::vector<std::string> families() {
  std::vector<std::string> names = {"auto"};
  for (const StencilSchedule& schedule : allSchedules(false)) {
    const std::string name = print(schedule);
    const std::string family = name.substr(0, name.find_first_of("@/"));
    if (std::find(names.begin(), names.end(), family) == names.end()) {
      names.push_back(family);
    }
  }
  return names;
}

OptionWords wordsOf(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) {
    words.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    words.names.push_back("--" + name);
  }
  if (option.get_positional()) {
    words.names = {option.get_name(true)};
  }
  words.help = option.get_description();
  words.isFlag = option.get_items_expected_max() == 0;
  words.repeats = option.get_items_expected_max() > 1;
  if (!words.isFlag) {
    words.type = option.get_type_name();
    words.suggests = words.type == "SCHEDULE" ? families()
                     : words.type == "DEVICE" ? std::vector<std::string>{"cpu"}
                                              : choicesOf(option);
  }
  return words;
}

CommandWords commandWords(const CLI::App& command) {
  CommandWords words{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    (option->get_positional() ? words.positionals : words.options).push_back(wordsOf(*option));
  }
  return words;
}

}  // namespace

ProgramWords wordsOf(const CLI::App& app) {
  ProgramWords words{commandWords(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.commands.push_back(commandWords(*command));
  }
  return words;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) {
    all += (all.empty() ? "" : between) + word;
  }
  return all;
}

std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace lacuna
