#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

constexpr size_t width = 100;
constexpr size_t rightFrom = 30;  // where meanings begin

// Breaks text into lines of whole words, with `indent` spaces before all but the first.
std::string wrapped(const std::string& text, size_t indent) {
  std::istringstream words(text);
  std::string lines;
  size_t column = indent;
  for (std::string word; words >> word;) {
    const bool fits = column + 1 + word.size() <= width;
    if (!lines.empty()) {
      lines += fits ? " " : "\n" + std::string(indent, ' ');
      column = fits ? column + 1 : indent;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string entry(const std::string& name, const std::string& meaning) {
  const std::string left = "  " + name;
  const std::string between = left.size() < rightFrom ? std::string(rightFrom - left.size(), ' ')
                                                      : "\n" + std::string(rightFrom, ' ');
  return left + between + wrapped(meaning, rightFrom) + "\n";
}

// If a name is too long for the left column, its text begins on the next line.
bool isLongChoice(const CLI::Option& option) {
  return choicesOf(option).size() > 1 && option.get_type_name().size() > width / 2;
}

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
    label("FLOAT", "NUMBER");
    label("INT", "COUNT");
  }

  std::string make_option(const CLI::Option* option, bool isPositional) const override {
    const std::string words = isLongChoice(*option) ? ": " + joined(choicesOf(*option), ", ") : "";
    return entry(make_option_name(option, isPositional) + make_option_opts(option),
                 make_option_desc(option) + words);
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0)
      return {};
    const std::string given = option->get_default_str();
    return fmt::format(" {}{}{}{}", isLongChoice(*option) ? "WORD" : get_label(option->get_type_name()),
                       given.empty() ? "" : "=" + given, option->get_items_expected_max() > 1 ? " ..." : "",
                       option->get_required() ? " (required)" : "");
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), 0) + "\n\n";
  }

  // Examples are separate lines.
  std::string make_footer(const CLI::App* app) const override {
    std::istringstream paragraphs(app->get_footer());
    std::string text;
    for (std::string line; std::getline(paragraphs, line);)
      text += (line.starts_with(" ") ? line : wrapped(line, 0)) + "\n";
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> helpFormat() {
  return std::make_shared<HelpFormat>();
}

}  // namespace lacuna
