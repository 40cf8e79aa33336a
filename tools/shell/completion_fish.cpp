#include <fmt/format.h>

#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

// In single quotes.
std::string quoted(const std::string& text) {
  return "'" + replaceAll(replaceAll(text, "\\", "\\\\"), "'", "\\'") + "'";
}

bool isFile(const OptionWords& option) {
  return option.type == "FILE" || option.type == "IMAGE";
}

// Options of `complete` for the possible values.
std::string values(const OptionWords& option) {
  if (!option.suggests.empty()) {
    return " -a " + quoted(joined(option.suggests, " "));
  }
  if (option.type == "GRAPH") {
    return " -k -a '(__fish_complete_suffix .cfg)'";
  }
  if (option.type == "DIR") {
    return " -a '(__fish_complete_directories)'";
  }
  return option.type == "MODULE" ? " -a '(lacuna modules 2>/dev/null | string replace -r \" .*\" \"\")'" : "";
}

std::string line(const OptionWords& option, const std::string& condition) {
  std::string out = fmt::format("complete -c lacuna -n {}", quoted(condition));
  for (const std::string& name : option.names) {
    const bool isLong = name.rfind("--", 0) == 0;
    out += isLong ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const std::string takes = option.isFlag ? "" : isFile(option) ? " -r -F" : " -x" + values(option);
  return out + takes + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string fishCompletion(const ProgramWords& words) {
  std::string out =
      "# Completes the words of lacuna in fish; made by `lacuna completion fish`.\n"
      "complete -c lacuna -f\n";
  for (const OptionWords& option : words.program.options) {
    out += line(option, "__fish_use_subcommand");
  }
  for (const CommandWords& command : words.commands) {
    if (!command.isPart()) {
      out += fmt::format("complete -c lacuna -n __fish_use_subcommand -a {} -d {}\n", command.name,
                         quoted(command.help));
    }
    // "bench gemm": both words were typed.
    const std::string condition =
        "__fish_seen_subcommand_from " + replaceAll(command.name, " ", "; and __fish_seen_subcommand_from ");
    for (const OptionWords& option : command.options) {
      out += line(option, condition);
    }
    if (!command.positionals.empty()) {
      const OptionWords& word = command.positionals.back();
      out +=
          fmt::format("complete -c lacuna -n {}{}\n", quoted(condition), isFile(word) ? " -F" : values(word));
    }
  }
  return out;
}

}  // namespace lacuna
