#include <fmt/format.h>

#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

// In single quotes.
std::string quotedForZsh(const std::string& text) {
  return "'" + replaceAll(text, "'", "'\\''") + "'";
}

std::string help(const OptionWords& option) {
  return replaceAll(replaceAll(option.help, "[", "\\["), "]", "\\]");
}

// The part after the message of a value in a specification of _arguments.
std::string action(const OptionWords& option) {
  if (!option.suggests.empty()) {
    return "(" + joined(option.suggests, " ") + ")";
  }
  if (option.type == "GRAPH") {
    return "_files -g \"*.cfg\"";
  }
  if (option.type == "DIR") {
    return "_files -/";
  }
  if (option.type == "MODULE") {
    return "_lacuna_modules";
  }
  return option.type == "FILE" || option.type == "IMAGE" ? "_files" : "";
}

std::string specification(const OptionWords& option) {
  const std::string value =
      option.isFlag ? ""
                    : fmt::format(":{}:{}", option.suggests.empty() ? option.type : "word", action(option));
  std::string out;
  for (const std::string& name : option.names) {
    out += fmt::format(" \\\n          {}", quotedForZsh(fmt::format("{}{}[{}]{}", option.repeats ? "*" : "",
                                                                     name, help(option), value)));
  }
  return out;
}

std::string zshCaseOf(const CommandWords& command) {
  std::string out = fmt::format("        {})\n        _arguments", quotedForZsh(command.name));
  for (const OptionWords& option : command.options) {
    out += specification(option);
  }
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const OptionWords& option = command.positionals[i];
    const std::string place = option.repeats ? "*" : std::to_string(i + 1);
    out += fmt::format(" \\\n          {}",
                       quotedForZsh(fmt::format("{}:{}:{}", place, option.names.front(), action(option))));
  }
  return out + " ;;\n";
}

}  // namespace

std::string zshCompletion(const ProgramWords& words) {
  std::string out = R"sh(#compdef lacuna
# Completes the words of lacuna in zsh; made by `lacuna completion zsh`.
_lacuna_modules() {
  local -a names
  names=(${${(f)"$(lacuna modules 2>/dev/null)"}%% *})
  _describe module names
}
_lacuna() {
  local -a commands
  local context state state_descr line
  typeset -A opt_args
  commands=(
)sh";
  for (const CommandWords& command : words.commands) {
    if (!command.isPart()) {
      out += "    " + quotedForZsh(command.name + ":" + command.help) + "\n";
    }
  }
  out += "  )\n  _arguments -C";
  for (const OptionWords& option : words.program.options) {
    out += specification(option);
  }
  out += R"sh( \
    '1:command:->command' '*::word:->words'
  case $state in
    command) _describe command commands ;;
    words)
      if [[ $words[1] == bench && CURRENT -gt 2 ]]; then
        shift words
        words[1]="bench $words[1]"
        (( CURRENT-- ))
      fi
      case $words[1] in
)sh";
  for (const CommandWords& command : words.commands) {
    out += zshCaseOf(command);
  }
  return out + R"sh(      esac ;;
  esac
}
if [[ $funcstack[1] == _lacuna ]]; then
  _lacuna "$@"
else
  compdef _lacuna lacuna
fi
)sh";
}

}  // namespace lacuna
