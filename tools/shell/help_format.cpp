#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "graph/config/text.h"
#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

constexpr size_t width = 100;
constexpr size_t rightFrom = 30, rightOfCommands = 14;  // where meanings begin

std::string entry(const std::string& name, const std::string& meaning, size_t from = rightFrom) {
  const std::string left = "  " + name;
  const std::string between =
      left.size() < from ? std::string(from - left.size(), ' ') : "\n" + std::string(from, ' ');
  return inColumns(left + between + meaning, from);
}

// If a name is too long for the left column, its text begins on the next line.
bool isLongChoice(const CLI::Option& option) {
  return choicesOf(option).size() > 1 && option.get_type_name().size() > width / 2;
}

class HelpFormat : public CLI::Formatter {
 public:
  explicit HelpFormat(bool all) : all_(all) {
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
    return entry(command->get_name(), command->get_description(), rightOfCommands);
  }

  std::string make_description(const CLI::App* app) const override {
    const std::string examples = examplesOf(*app);
    return inColumns(app->get_description()) + "\n" + examples + (examples.empty() ? "" : "\n\n");
  }

  std::string make_footer(const CLI::App* app) const override {
    const std::string rest = app->get_footer().substr(examplesOf(*app).size());
    return inColumns(rest.substr(std::min(rest.find_first_not_of('\n'), rest.size())));
  }

  std::string make_group(std::string group, bool isPositional,
                         std::vector<const CLI::Option*> options) const override {
    if (group != moreOptions)
      return CLI::Formatter::make_group(group, isPositional, options);
    std::string entries, names;
    for (const CLI::Option* option : options) {
      entries += make_option(option, false);
      const std::string name = make_option_name(option, false) + make_option_opts(option);
      names += (names.empty() ? "  " : ", ") + name.substr(0, name.find_last_not_of(' ') + 1);
    }
    return all_ ? fmt::format("{}:\n{}", group, entries)
                : fmt::format("{}, which `lacuna help COMMAND` explains:\n{}", group, inColumns(names));
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    help = replaceAll(std::move(help), "help COMMAND` explains", "help " + app->get_name() + "` explains");
    return help.substr(0, help.find_last_not_of('\n') + 1) + "\n";
  }

 private:
  // The first paragraph of the footer.
  static std::string examplesOf(const CLI::App& app) {
    const std::string footer = app.get_footer();
    return footer.starts_with("Examples:") ? footer.substr(0, footer.find("\n\n")) : "";
  }

  const bool all_;
};

}  // namespace

size_t columnsOf(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char each) { return !isContinuationByte(each); }));
}

std::string inColumns(std::string_view text, size_t from) {
  std::string lines;
  for (const std::string_view line : splitLines(text)) {
    const size_t gap = line.substr(0, width / 2).rfind("  ");
    size_t at = from > 0 ? std::min(from, line.size()) : gap == std::string_view::npos ? 0 : gap + 2;
    const std::string indent(columnsOf(line.substr(0, at)), ' ');
    lines += line.substr(0, at);
    // Words, and parts of words, with what is behind them.
    for (size_t column = indent.size(); at < line.size();) {
      const size_t end = std::min(line.find_first_of(" |+", at), line.size() - 1) + 1;
      const std::string_view word = line.substr(at, end - at);
      const bool isSpaced = word.ends_with(' ');
      if (column > indent.size() && column + columnsOf(word) - (isSpaced ? 1 : 0) > width) {
        lines.erase(lines.find_last_not_of(' ') + 1);
        lines += "\n" + indent;
        column = indent.size();
      }
      lines += word;
      column += columnsOf(word);
      at = end;
    }
    lines += "\n";
  }
  return lines;
}

std::shared_ptr<CLI::FormatterBase> helpFormat(bool all) {
  return std::make_shared<HelpFormat>(all);
}

}  // namespace lacuna
