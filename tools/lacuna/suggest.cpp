#include "tools/lacuna/suggest.h"

#include <fmt/format.h>

#include "graph/config/diagnostics.h"

namespace lacuna {
namespace {

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> optionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

std::string complaint(const std::string& what, const std::string& word,
                      const std::vector<std::string>& known) {
  const std::string near = didYouMean(word, known);
  return fmt::format("unknown {} '{}'{}", what, word, near.empty() ? "" : "; " + near);
}

}  // namespace

std::string unknownWord(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  for (const std::string& word : app.remaining(true)) {
    if (word.size() > 1 && word.front() == '-') {
      return complaint("option", word.substr(0, word.find('=')), optionNames(command));
    }
    if (parsed.empty()) {
      return complaint("command", word, commandNames(app));
    }
    return fmt::format("'{}' is one argument too many for {}", word, command.get_name());
  }
  return {};
}

}  // namespace lacuna
