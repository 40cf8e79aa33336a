#include "tools/lacuna/complete.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "graph/config/text.h"
#include "tools/lacuna/command_line.h"
#include "tools/lacuna/companions.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// The words of a shell's line, without quotes; the last one is empty behind a space.
std::vector<std::string> shellWords(std::string_view line) {
  std::vector<std::string> words(1);
  char quoteMark = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    const bool isSpace = quoteMark == '\0' && std::isspace(static_cast<unsigned char>(line[i])) != 0;
    if (isSpace && !words.back().empty())
      words.emplace_back();
    else if (line[i] == quoteMark || (quoteMark == '\0' && (line[i] == '"' || line[i] == '\'')))
      quoteMark = quoteMark == '\0' ? line[i] : '\0';
    else if (line[i] == '\\' && quoteMark != '\'' && i + 1 < line.size())
      words.back() += line[++i];
    else if (!isSpace)
      words.back() += line[i];
  }
  return words;
}

// Endings of files, by an option's name or the type of its value; others are files of any kind.
const std::map<std::string, std::string> endings = {
    {"GRAPH", ".cfg"},     {"--save-graph", ".cfg"}, {"--html", ".html"},    {"--report", ".html"},
    {"--import", ".json"}, {"--export", ".json"},    {"--profile", ".json"},
};

class Completion {
 public:
  explicit Completion(const std::string& line) : words_(shellWords(line)), typed_(words_.back()) {
    int code = 0;
    app_.set_help_flag("-h,--help", "print this help and exit");
    describe(app_, arguments_, code);
    known_ = wordsOf(app_);
    if (words_.size() > 2 && words_[1] == "bench") {
      std::erase_if(known_.commands, [](const CommandWords& command) { return command.name == "bench"; });
      for (CommandWords& command : wordsOfHelper("bench"))
        known_.commands.push_back(std::move(command));
    }
    for (size_t i = 1; i + 1 < words_.size(); ++i)
      read(words_[i]);
    workspace_.registry = Registry(moduleSearchPath(workspace_.modules));
  }

  std::string text() {
    const size_t equals = typed_.find('=') + 1;  // npos + 1 is 0
    const OptionWords* named = typed_.starts_with('-') ? option(typed_) : nullptr;
    if (waiting_ != nullptr) {
      values(*waiting_, 0);
    } else if (named != nullptr && equals > 0) {
      values(*named, equals);
    } else if (typed_.starts_with('-')) {
      for (const OptionWords& each : command_->options)
        for (const std::string& name : each.names)
          offer(name, each.help);
    } else if (command_ == &known_.program || command_->name == "bench") {
      for (const CommandWords& each : known_.commands)
        if (given_.empty() && each.isPart() == (command_ != &known_.program))
          offer(each.name.substr(each.name.rfind(' ') + 1), each.help);
    } else if (!command_->positionals.empty()) {
      values(command_->positionals[std::min(given_.size(), command_->positionals.size() - 1)], 0);
    }
    return std::move(text_);
  }

 private:
  // By its name, with or without a value behind an equals sign; nullptr if there is none.
  const OptionWords* option(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    return findWhere(command_->options, [&](const OptionWords& each) { return contains(each.names, name); });
  }

  const CommandWords* commandNamed(const std::string& word) const {
    return command_ == &known_.program ? findNamed(known_.commands, word)
           : command_->name == "bench" ? findNamed(known_.commands, "bench " + word)
                                       : nullptr;
  }

  void read(const std::string& word) {
    const OptionWords* before = std::exchange(waiting_, nullptr);
    const OptionWords* named = before == nullptr && word.starts_with('-') ? option(word) : before;
    const size_t equals = before == nullptr ? word.find('=') : std::string::npos;
    if (before == nullptr && named != nullptr && !named->isFlag && equals == std::string::npos)
      waiting_ = named;
    else if (named != nullptr && contains(named->names, "--modules"))
      workspace_.modules.push_back(word.substr(equals + 1));
    else if (const CommandWords* command = named == nullptr ? commandNamed(word) : nullptr)
      command_ = command;
    else if (named == nullptr && !word.starts_with('-'))
      given_.push_back(word);
  }

  // Whole words.
  void offer(const std::string& word, std::string_view meaning) {
    if (!word.starts_with(typed_))
      return;
    text_ += word + "\t";
    for (const char each : meaning)
      if (each != ' ' || text_.back() != ' ')
        text_ += each == '\n' ? ' ' : each;
    text_ += "\n";
  }

  // Of an option or a positional, from this byte of the typed word on.
  void values(const OptionWords& of, size_t from) {
    const std::string before = typed_.substr(0, from);
    for (const std::string& each : of.suggests)
      offer(before + each, "");
    const bool isInput = contains(of.names, "--input");
    const size_t equals = typed_.find('=', from) + 1;
    if (of.type == "MODULE") {
      modules(before);
    } else if (of.type == "P=V") {
      parameters(from);
    } else if (of.type == "DEVICE") {
      offer(before + "cpu", "");
      const std::vector<DeviceDescription> all = devices();
      for (size_t i = 0; i < all.size(); ++i)
        offer(before + std::to_string(i), all[i].name);
    } else if (of.type == "SCHEDULE") {
      schedules(equals > 0 ? typed_.substr(0, equals) : before);
    } else if (isInput || (contains(of.names, "--output") && !graphFile().empty())) {
      instances(before, [&](const ModuleDescription& module) {
        return isInput ? module.isSource() : module.isSink();
      });
      files("FILE", std::max(equals, from));
    } else {
      std::string kind = of.type;
      for (const std::string& name : of.names)
        kind = endings.contains(name) ? name : kind;
      files(kind, from);
    }
  }

  // Of the kinds' endings; folders, in which more may be.
  void files(const std::string& kind, size_t from) {
    if (kind != "GRAPH" && kind != "IMAGE" && kind != "DIR" && kind != "FILE" && !endings.contains(kind))
      return;
    const std::string before = typed_.substr(0, from), typed = typed_.substr(from);
    const std::string folder = typed.substr(0, typed.rfind('/') + 1);
    const char* home = std::getenv("HOME");
    const FoundFiles found =
        imagesIn(folder.starts_with("~/") && home != nullptr ? home + folder.substr(1) : folder);
    const auto add = [&](const std::string& file, const char* what) {
      offer(before + folder + fs::path(file).filename().string() + (*what == 'd' ? "/" : ""), what);
    };
    const auto ending = endings.find(kind);
    for (const FoundFile& each : found.files)
      if (kind == "IMAGE" || kind == "FILE")
        add(each.file, "file");
    for (const std::string& each : found.others)
      if (kind == "FILE" || (ending != endings.end() && each.ends_with(ending->second)))
        add(each, "file");
    for (const std::string& each : found.folders)
      add(each, "directory");
  }

  void modules(const std::string& before) {
    Diagnostics ignored;
    for (const std::string& name : workspace_.registry.names())
      if ((before + name).starts_with(typed_))
        if (const auto module = workspace_.registry.find(name, ignored))
          offer(before + name, module->summary);
    if (typed_.find('/') != std::string::npos)
      files("DIR", before.size());
  }

  void schedules(const std::string& before) {
    offer(before + "auto", "");
    for (const std::string& each : scheduleFamilies())
      offer(before + each, "");
    instances(before, [](const ModuleDescription& module) { return !module.isSource() && !module.isSink(); });
  }

  // The graph of the line; "" if it has none.
  std::string graphFile() const {
    const bool isGraph = !command_->positionals.empty() && command_->positionals.front().type == "GRAPH";
    return isGraph && !given_.empty() ? given_.front() : "";
  }

  template <typename Wanted>
  void instances(const std::string& before, const Wanted& isWanted) {
    Diagnostics ignored;
    const std::string file = graphFile();
    if (file.empty() || before.find(':') != std::string::npos)
      return;
    const Config config = parseConfigFile(file, ignored);
    for (const ModuleInstance& each : buildModuleGraph(config, workspace_.registry, ignored).modules)
      if (isWanted(*each.description))
        offer(before + each.name() + "=", each.description->summary);
  }

  // What the language server offers behind the graph, in a line of the typed words.
  void parameters(size_t from) {
    const std::string file = graphFile(), before = typed_.substr(0, from), keyword = "param:";
    std::string line = typed_.substr(from);
    const size_t equals = line.find('=');
    if (equals != std::string::npos)
      line[equals] = ':';
    const std::string text = readTextFile(file).text + "\n";
    const std::string path = fs::absolute(file).lexically_normal().string();
    workspace_.encoding = lsp::Encoding::utf8;
    workspace_.documents = {{"graph", {"graph", path, text + keyword + line, 0, lsp::FileKind::graph}}};
    const auto lines = std::ranges::count(text, '\n');
    const lsp::Json here = {{"textDocument", {{"uri", "graph"}}},
                            {"position", {{"line", lines}, {"character", keyword.size() + line.size()}}}};
    lsp::Query query(workspace_, here);
    const lsp::Json found = lsp::completion(query, here);
    if (query.index && query.namesFile())
      return files("FILE", from + equals + 1);
    for (const lsp::Json& item : found["items"]) {
      const auto start = item["textEdit"]["range"]["start"]["character"].get<size_t>() - keyword.size();
      const std::string word = typed_.substr(from, start) + item["textEdit"]["newText"].get<std::string>();
      const bool isParameter = std::ranges::count(word, ':') == 2;
      const char* next = equals != std::string::npos ? "" : isParameter ? "=" : ":";
      offer(before + word + next, item["documentation"].get<std::string>());
    }
  }

  CLI::App app_;
  Arguments arguments_;
  ProgramWords known_;
  const std::vector<std::string> words_;
  const std::string& typed_;
  const CommandWords* command_ = &known_.program;
  const OptionWords* waiting_ = nullptr;  // whose value follows
  std::vector<std::string> given_;        // positionals
  lsp::Workspace workspace_;
  std::string text_;
};

constexpr const char* bashScript =
    R"sh(# Completes the words of lacuna in bash; made by `lacuna completion bash`.
_lacuna() {
  local line=${COMP_LINE:0:COMP_POINT} found last
  mapfile -t found < <("${COMP_WORDS[0]}" __complete "$line" 2>/dev/null)
  [[ $found == *$'\t'file || $found == *$'\t'directory ]] && compopt -o filenames 2>/dev/null
  found=("${found[@]%%$'\t'*}")
  # Readline replaces only what is behind the last of these.
  last=${line##*[[:space:]]}
  COMPREPLY=("${found[@]#"${last%"${last##*[:=]}"}"}")
  [[ ${#found[@]} == 1 && $found == *[:=/] ]] && compopt -o nospace 2>/dev/null
}
complete -F _lacuna lacuna
)sh";

constexpr const char* zshScript = R"sh(#compdef lacuna
# Completes the words of lacuna in zsh; made by `lacuna completion zsh`.
_lacuna() {
  local line more shown
  local -a open openShown whole wholeShown
  for line in ${(f)"$(lacuna __complete "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)"}; do
    shown=${line/$'\t'/  -- }
    line=${line%%$'\t'*}
    if [[ $line == *[:=/] ]]; then
      open+=("$line") openShown+=("$shown")
    else
      whole+=("$line") wholeShown+=("$shown")
    fi
  done
  compadd -l -S '' -d openShown -a open
  compadd -l -d wholeShown -a whole
}
if [[ $funcstack[1] == _lacuna ]]; then
  _lacuna "$@"
else
  compdef _lacuna lacuna
fi
)sh";

constexpr const char* fishScript =
    "# Completes the words of lacuna in fish; made by `lacuna completion fish`.\n"
    "complete -c lacuna -f -a '(lacuna __complete (commandline -cp | string collect) 2>/dev/null)'\n";

}  // namespace

int runComplete(const std::string& line) {
  try {
    fmt::print("{}", Completion(line).text());
  } catch (const std::exception&) {
    // A shell has no place for messages.
  }
  return exitOk;
}

std::string completionScript(const std::string& shell) {
  return shell == "bash" ? bashScript : shell == "zsh" ? zshScript : fishScript;
}

}  // namespace lacuna
