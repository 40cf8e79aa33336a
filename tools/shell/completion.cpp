// Scripts that complete words in shells.

#include <fmt/format.h>

#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

std::string optionNames(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
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
  for (const OptionWords& option : command.options)
    if (!option.isFlag)
      out += fmt::format("        {}) options= kind='{}' ;;\n", joined(option.names, "|"), kindOf(option));
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

std::string bashCompletion(const ProgramWords& words) {
  std::vector<std::string> names;
  for (const CommandWords& command : words.commands)
    if (!command.isPart())
      names.push_back(command.name);
  std::string out = head;
  out += fmt::format("    '') options='{}' kind='words {}' ;;\n", optionNames(words.program),
                     joined(names, " "));
  for (const CommandWords& command : words.commands)
    out += caseOf(command);
  return out + tail;
}

// In single quotes.
std::string quotedForZsh(const std::string& text) {
  return "'" + replaceAll(text, "'", "'\\''") + "'";
}

std::string help(const OptionWords& option) {
  return replaceAll(replaceAll(option.help, "[", "\\["), "]", "\\]");
}

// The part after the message of a value in a specification of _arguments.
std::string action(const OptionWords& option) {
  if (!option.suggests.empty())
    return "(" + joined(option.suggests, " ") + ")";
  if (option.type == "GRAPH")
    return "_files -g \"*.cfg\"";
  if (option.type == "DIR")
    return "_files -/";
  if (option.type == "MODULE")
    return "_lacuna_modules";
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
  for (const OptionWords& option : command.options)
    out += specification(option);
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const OptionWords& option = command.positionals[i];
    const std::string place = option.repeats ? "*" : std::to_string(i + 1);
    out += fmt::format(" \\\n          {}",
                       quotedForZsh(fmt::format("{}:{}:{}", place, option.names.front(), action(option))));
  }
  return out + " ;;\n";
}

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
  for (const CommandWords& command : words.commands)
    if (!command.isPart())
      out += "    " + quotedForZsh(command.name + ":" + command.help) + "\n";
  out += "  )\n  _arguments -C";
  for (const OptionWords& option : words.program.options)
    out += specification(option);
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
  for (const CommandWords& command : words.commands)
    out += zshCaseOf(command);
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

// In single quotes.
std::string quoted(const std::string& text) {
  return "'" + replaceAll(replaceAll(text, "\\", "\\\\"), "'", "\\'") + "'";
}

bool isFile(const OptionWords& option) {
  return option.type == "FILE" || option.type == "IMAGE";
}

// Options of `complete` for the possible values.
std::string values(const OptionWords& option) {
  if (!option.suggests.empty())
    return " -a " + quoted(joined(option.suggests, " "));
  if (option.type == "GRAPH")
    return " -k -a '(__fish_complete_suffix .cfg)'";
  if (option.type == "DIR")
    return " -a '(__fish_complete_directories)'";
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

std::string fishCompletion(const ProgramWords& words) {
  std::string out =
      "# Completes the words of lacuna in fish; made by `lacuna completion fish`.\n"
      "complete -c lacuna -f\n";
  for (const OptionWords& option : words.program.options)
    out += line(option, "__fish_use_subcommand");
  for (const CommandWords& command : words.commands) {
    if (!command.isPart()) {
      out += fmt::format("complete -c lacuna -n __fish_use_subcommand -a {} -d {}\n", command.name,
                         quoted(command.help));
    }
    // "bench gemm": both words were typed.
    const std::string condition =
        "__fish_seen_subcommand_from " + replaceAll(command.name, " ", "; and __fish_seen_subcommand_from ");
    for (const OptionWords& option : command.options)
      out += line(option, condition);
    if (!command.positionals.empty()) {
      const OptionWords& word = command.positionals.back();
      out +=
          fmt::format("complete -c lacuna -n {}{}\n", quoted(condition), isFile(word) ? " -F" : values(word));
    }
  }
  return out;
}

}  // namespace

std::string completionScript(const ProgramWords& words, const std::string& shell) {
  return shell == "bash"  ? bashCompletion(words)
         : shell == "zsh" ? zshCompletion(words)
                          : fishCompletion(words);
}

}  // namespace lacuna
