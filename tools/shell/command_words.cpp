#include "tools/shell/command_words.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"

namespace lacuna {
namespace {

// "COUNT" of "COUNT:INT in [1 - 64]": CLI11 appends the condition.
std::string typeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

OptionWords wordsOf(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames())
    words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    words.names.push_back("--" + name);
  if (option.get_positional())
    words.names = {option.get_name(true)};
  words.help = option.get_description();
  words.isFlag = option.get_items_expected_max() == 0;
  words.repeats = option.get_items_expected_max() > 1;
  if (!words.isFlag) {
    words.type = typeOf(option);
    words.suggests = choicesOf(option);
  }
  return words;
}

CommandWords commandWords(const CLI::App& command) {
  CommandWords words{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option* option : command.get_options())
    (option->get_positional() ? words.positionals : words.options).push_back(wordsOf(*option));
  return words;
}

}  // namespace

ProgramWords wordsOf(const CLI::App& app) {
  ProgramWords words{commandWords(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    words.commands.push_back(commandWords(*command));
  return words;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OptionWords, names, help, type, suggests, isFlag, repeats)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CommandWords, name, help, footer, options, positionals)

std::string wordsText(const std::function<void(CLI::App& app, int& code)>& describe,
                      const std::string& name) {
  CLI::App app;
  int code = 0;
  describe(app, code);
  ProgramWords words = wordsOf(app);
  words.program.name = name;
  OptionWords& command = words.program.positionals.emplace_back();
  command.names = {"name"};
  command.help = "what to do";
  for (CommandWords& each : words.commands) {
    command.suggests.push_back(each.name);
    each.name = name + " " + each.name;
  }
  words.commands.insert(words.commands.begin(), std::move(words.program));
  return jsonText(nlohmann::json(words.commands));
}

std::vector<CommandWords> commandsOf(const std::string& text) {
  return readJson(text).get<std::vector<CommandWords>>();
}

std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.size() > 1 && type.front() == '{' ? CLI::detail::split(type.substr(1, type.size() - 2), ',')
                                                : std::vector<std::string>();
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words)
    all += (all.empty() ? "" : between) + word;
  return all;
}

std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace lacuna
