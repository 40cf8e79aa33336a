#include <fmt/format.h>

#include <algorithm>

#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

// Text that roff prints unchanged.
std::string plain(const std::string& text) {
  std::string out = replaceAll(replaceAll(text, "\\", "\\e"), "-", "\\-");
  return !out.empty() && (out.front() == '.' || out.front() == '\'') ? "\\&" + out : out;
}

// Lines unchanged, in a fixed font.
std::string literal(const std::string& text) {
  std::string out = ".nf\n";
  size_t from = 0;
  while (from < text.size()) {
    const size_t end = std::min(text.find('\n', from), text.size());
    out += plain(text.substr(from, end - from)) + "\n";
    from = end + 1;
  }
  return out + ".fi\n";
}

std::string entry(const OptionWords& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
  if (!option.isFlag)
    names += " \\fI" + plain(option.type) + "\\fR";
  return ".TP\n" + names + (option.repeats ? " ..." : "") + "\n" + plain(option.help) + "\n";
}

std::string section(const CommandWords& command) {
  std::string usage = fmt::format("\\fBlacuna {}\\fR [\\fIoptions\\fR]", plain(command.name));
  for (const OptionWords& positional : command.positionals)
    usage += fmt::format(" \\fI{}\\fR{}", plain(positional.names.front()), positional.repeats ? "..." : "");
  std::string out = fmt::format(".SS {}\n{}\n", usage, plain(command.help));
  for (const OptionWords& positional : command.positionals)
    out += entry(positional);
  for (const OptionWords& option : command.options)
    if (option.names.back() != "--help")
      out += entry(option);
  return out + (command.footer.empty() ? "" : ".PP\n" + literal(command.footer));
}

constexpr const char* ending = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
a run, or some item of a batch, failed
.TP
.B 2
usage or configuration: all that \fBlacuna check\fR can see beforehand
.TP
.B 3
no usable device
.TP
.B 4
input or output failed while running
.TP
.B 128 and a signal's number
interrupted by it: 130 after Ctrl-C, when the files that were being written are whole
.SH ENVIRONMENT
.TP
.B LACUNA_MODULES
folders with modules, with colons between them; searched after \fB\-\-modules\fR
.TP
.B LACUNA_CACHE
folder of compiled shaders; else \fI$XDG_CACHE_HOME/lacuna\fR or \fI~/.cache/lacuna\fR
.TP
.B LACUNA_CACHE_SIZE
what files there may take together, such as \fI500MB\fR; else 2 GiB
.TP
.B XDG_DATA_HOME
modules of the user lie in \fIlacuna/modules\fR there; else in \fI~/.local/share/lacuna/modules\fR
.SH NOTES
Data goes to standard output, messages to standard error. Output files appear complete or not at all.
)";

}  // namespace

std::string manualPage(const ProgramWords& words, const std::string& version) {
  std::string out = fmt::format(".TH LACUNA 1 \"\" \"lacuna {}\"\n", plain(version));
  const std::string& says = words.program.help;
  out += ".SH NAME\nlacuna \\- " + plain(says.substr(says.find(':') + 2)) + "\n";
  out += ".SH SYNOPSIS\n\\fBlacuna\\fR \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n.SH OPTIONS\n";
  for (const OptionWords& option : words.program.options)
    out += entry(option);
  out += ".SH COMMANDS\n";
  for (const CommandWords& command : words.commands)
    out += section(command);
  return out + ending;
}

}  // namespace lacuna
