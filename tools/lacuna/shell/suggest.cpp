#include "tools/lacuna/shell/suggest.h"

#include <fmt/format.h>

#include <cstdio>

#include "graph/config/diagnostics.h"
#include "graph/config/text.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/shell/messages.h"

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

// Of the first word that a failed parse left over; "" if there is none.
std::string unknownWord(const CLI::App& app, const CLI::App& command) {
  for (const std::string& word : app.remaining(true)) {
    if (word.size() > 1 && word.front() == '-') {
      return unknown("option", word.substr(0, word.find('=')), optionNames(command));
    }
    if (&app == &command) {
      return isImageFile(word) ? fmt::format(
                                     "'{0}' is a picture, not a command: `lacuna denoise {0} -o OUT` takes "
                                     "the noise out of it",
                                     word)
                               : unknown("command", word, commandNames(app));
    }
    return fmt::format("unexpected argument '{}': `{} {}` takes no more", word, app.get_name(),
                       command.get_name());
  }
  return {};
}

// CLI11's words for what is missing, in ours.
std::string missing(const CLI::App& command, const std::string& text) {
  const std::string value = ": 1 required ", valueEnd = " missing", required = " is required";
  const size_t at = text.find(value);
  if (at != std::string::npos && text.ends_with(valueEnd)) {
    const size_t from = at + value.size();
    return fmt::format("{} needs a value: {}", text.substr(0, at),
                       text.substr(from, text.size() - from - valueEnd.size()));
  }
  if (text.ends_with(required)) {
    const CLI::Option* option = command.get_option_no_throw(text.substr(0, text.size() - required.size()));
    return option == nullptr ? text : fmt::format("{}: {}", text, option->get_description());
  }
  return text;
}

}  // namespace

std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string near = didYouMean(word, known);
  return fmt::format("unknown {} '{}'; {}", what, word,
                     near.empty() ? "known are " + joinNames(known) : near);
}

int complainOfWords(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  // A wrong value ends the parse before the words after it are looked at.
  const bool wrongValue = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr ||
                          dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  const std::string left = wrongValue ? "" : unknownWord(app, command);
  const std::string called = parsed.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
  printError(left.empty() ? missing(command, error.what()) : left);
  fmt::print(stderr, "  hint: `{} --help` lists what there is\n", called);
  return exitUsage;
}

}  // namespace lacuna
