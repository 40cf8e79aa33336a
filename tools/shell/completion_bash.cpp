#include "tools/shell/command_words.h"

#include <fmt/format.h>

namespace lacuna {

std::string completionScript(const ProgramWords& words, const std::string& shell) {
  return shell == "bash"  ? bashCompletion(words)
         : shell == "zsh" ? zshCompletion(words)
                          : fishCompletion(words);
}

namespace {

std::string optionNames(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return joined(names, " ");
}

// "words LIST", or the name of another completion.
std::string kindOf(const OptionWords& option) {
  return option.suggests.empty() ? option.type : "words " + joined(option.suggests, " ");
}

std::string caseOf(const CommandWords& command) {
  std::string out =
      fmt::format("    '{}')\n      options='{}' kind='{}'\n", command.name, optionNames(command),
                  command.positionals.empty() ? "" : kindOf(command.positionals.back()));
  out += "      case $before in\n";
  for (const OptionWords& option : command.options) {
    if (!option.isFlag) {
      out += fmt::format("        {}) options= kind='{}' ;;\n", joined(option.names, "|"), kindOf(option));
    }
  }
  return out + "      esac ;;\n";
}

constexpr const char* head = R"sh(# Completes the words of lacuna in bash; made by `lacuna completion bash`.
_lacuna() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= options= kind= i
  COMPREPLY=()
  # --stage=no is three words here.
  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}
  [[ $current == = ]] && current=
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] && continue
    command+=${command:+ }${COMP_WORDS[i]}
    [[ $command == bench ]] || break
  done
  case $command in
)sh";

constexpr const char* tail = R"sh(  esac
  [[ $current == -* && -n $options ]] && kind="words $options"
  case $kind in
    words\ *) mapfile -t COMPREPLY < <(compgen -W "${kind#words }" -- "$current") ;;
    DIR) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    GRAPH) mapfile -t COMPREPLY < <(compgen -f -X '!*.cfg' -- "$current"; compgen -d -- "$current") ;;
    MODULE)
      kind=$("${COMP_WORDS[0]}" modules 2>/dev/null | sed 's/ .*//')
      mapfile -t COMPREPLY < <(compgen -W "$kind" -- "$current") ;;
    FILE|IMAGE) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
  esac
}
complete -o filenames -F _lacuna lacuna
)sh";

}  // namespace

std::string bashCompletion(const ProgramWords& words) {
  std::vector<std::string> names;
  for (const CommandWords& command : words.commands) {
    if (!command.isPart()) {
      names.push_back(command.name);
    }
  }
  std::string out = head;
  out += fmt::format("    '') options='{}' kind='words {}' ;;\n", optionNames(words.program),
                     joined(names, " "));
  for (const CommandWords& command : words.commands) {
    out += caseOf(command);
  }
  return out + tail;
}

}  // namespace lacuna
