// The completion of words in shells.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include "graph/config/regex.h"
#include "graph/config/text.h"
#include "tools/lacuna/command_line.h"
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

// Endings of files, by an option's name or the type of its value. No file's name ends with a slash.
const std::map<std::string, std::string> endings = {
    {"FILE", ""},           {"IMAGE", "/"},           {"DIR", "/"},
    {"GRAPH", ".cfg"},      {"--save-graph", ".cfg"}, {"--html", ".html"},
    {"--report", ".html"},  {"--import", ".json"},    {"--export", ".json"},
    {"--profile", ".json"},
};

class Completion {
 public:
  explicit Completion(const std::string& line) {
    const std::vector<std::string> words = shellWords(line);
    CLI::App app;
    Arguments arguments;
    int code = 0;
    app.set_help_flag("-h,--help", "print this help and exit");
    describe(app, arguments, code);
    known_ = words.size() > 2 && words[1] == "bench" ? allWords(app) : wordsOf(app);
    for (size_t i = 1; i + 1 < words.size(); ++i)
      read(words[i]);
    value_ = words.back();
    workspace_.registry = Registry(moduleSearchPath(workspace_.modules));
  }

  void print() {
    const bool isOption = waiting_ == nullptr && value_.starts_with('-');
    if (const size_t equals = value_.find('='); isOption && equals != std::string::npos) {
      read(value_.substr(0, equals));
      skip(waiting_ == nullptr ? 0 : equals + 1);
    }
    if (waiting_ != nullptr) {
      values(*waiting_);
    } else if (isOption) {
      for (const OptionWords& each : command_->options)
        for (const std::string& name : each.names)
          offer(name, each.help);
    } else if (command_ == &known_.program || command_->name == "bench") {
      for (const CommandWords& each : known_.commands)
        if (given_.empty() && each.isPart() == (command_ != &known_.program))
          offer(each.name.substr(each.name.rfind(' ') + 1), each.help);
    } else if (!command_->positionals.empty()) {
      values(command_->positionals[std::min(given_.size(), command_->positionals.size() - 1)]);
    }
  }

 private:
  // A word before the last one.
  void read(const std::string& word) {
    const std::string part = command_ == &known_.program ? word : command_->name + " " + word;
    const size_t equals = word.find('=');
    if (const OptionWords* of = std::exchange(waiting_, nullptr)) {
      if (contains(of->names, "--modules"))
        workspace_.modules.push_back(word);
    } else if (word.starts_with('-')) {
      waiting_ = findWhere(command_->options, [&](const OptionWords& each) {
        return !each.isFlag && contains(each.names, word.substr(0, equals));
      });
      if (waiting_ != nullptr && equals != std::string::npos)
        read(word.substr(equals + 1));
    } else if (const CommandWords* command = findNamed(known_.commands, part)) {
      command_ = command;
    } else {
      given_.push_back(word);
    }
  }

  // These bytes of the value stand before it.
  void skip(size_t bytes) {
    before_ += value_.substr(0, bytes);
    value_.erase(0, bytes);
  }

  void offer(const std::string& value, std::string_view meaning = {}) {
    static const Regex spaces("[ \n]+");
    if (value.starts_with(value_))
      fmt::print("{}{}\t{}\n", before_, value, spaces.replace(meaning, " "));
  }

  // Of an option or a positional.
  void values(const OptionWords& of) {
    for (const std::string& each : of.suggests)
      offer(each);
    const bool isInput = contains(of.names, "--input");
    if (of.type == "MODULE") {
      behindGraph("module:", value_, [](const std::string&) { return ""; });
      if (value_.find('/') != std::string::npos)
        files("DIR");
    } else if (of.type == "P=V" && !graphFile().empty()) {
      const size_t equals = value_.find('=');
      const std::string words =
          equals == std::string::npos ? value_ : value_.substr(0, equals) + ":" + value_.substr(equals + 1);
      behindGraph("param:", words, [&](const std::string& word) {
        return equals != std::string::npos ? "" : std::ranges::count(word, ':') == 2 ? "=" : ":";
      });
    } else if (of.type == "DEVICE") {
      offer("cpu");
      const std::vector<DeviceDescription> all = devices();
      for (size_t i = 0; i < all.size(); ++i)
        offer(std::to_string(i), all[i].name);
    } else if (of.type == "SCHEDULE") {
      instances([](const ModuleDescription& module) { return !module.isSource() && !module.isSink(); });
      offer("auto");
      for (const std::string& each : scheduleFamilies())
        offer(each);
    } else if (isInput || (contains(of.names, "--output") && !graphFile().empty())) {
      instances(
          [&](const ModuleDescription& module) { return isInput ? module.isSource() : module.isSink(); });
      files("FILE");
    } else {
      const std::string* named =
          findWhere(of.names, [](const std::string& name) { return endings.contains(name); });
      files(named == nullptr ? of.type : *named);
    }
  }

  // Of the kind's ending; folders, in which more may be.
  void files(const std::string& kind) {
    const auto ending = endings.find(kind);
    if (ending == endings.end())
      return;
    const std::string folder = value_.substr(0, value_.rfind('/') + 1);  // npos + 1 is 0
    for (const std::string& name : filesAndFolders(folder))
      if (const bool isFolder = name.ends_with('/');
          isFolder || name.ends_with(ending->second) || (kind == "IMAGE" && hasImageExtension(name)))
        offer(folder + name, isFolder ? "directory" : "file");
  }

  // The graph of the line; "" if it has none.
  std::string graphFile() const {
    const bool isGraph = !command_->positionals.empty() && command_->positionals.front().type == "GRAPH";
    return isGraph && !given_.empty() ? given_.front() : "";
  }

  // Those of the graph, of wanted modules, unless the value is behind one.
  template <typename Wanted>
  void instances(const Wanted& isWanted) {
    const size_t equals = value_.find('=');
    if (equals != std::string::npos)
      return skip(equals + 1);
    behindGraph("param:", value_, [&](const std::string& word) {
      const auto module = workspace_.find(word.substr(0, word.find(':')));
      return std::ranges::count(word, ':') == 1 && isWanted(*module) ? "=" : nullptr;
    });
  }

  // Offers what the language server does behind the graph, at the end of a line of these words. `next` has
  // what follows a word, or nullptr if it isn't offered.
  template <typename Next>
  void behindGraph(const std::string& keyword, const std::string& words, const Next& next) {
    const std::string file = graphFile(), text = readTextFile(file).text + "\n", line = keyword + words;
    const std::string path = file.empty() ? "" : fs::absolute(file).lexically_normal().string();
    workspace_.documents = {{"graph", {path, text + line, 0, lsp::FileKind::graph}}};
    const lsp::Json here = {
        {"textDocument", {{"uri", "graph"}}},
        {"position", {{"line", std::ranges::count(text, '\n')}, {"character", line.size()}}}};
    lsp::Query query(workspace_, here);
    const lsp::Json found = lsp::completion(query, here);
    for (const lsp::Json& item : found["items"]) {
      const auto start = item["textEdit"]["range"]["start"]["character"].get<size_t>() - keyword.size();
      if (query.index && query.namesFile()) {
        skip(start);
        return files("FILE");
      }
      const std::string word = value_.substr(0, start) + item["textEdit"]["newText"].get<std::string>();
      if (const char* ending = next(word))
        offer(word + ending, item["documentation"].get<std::string>());
    }
  }

  ProgramWords known_;
  std::string before_, value_;  // parts of the last word: what is completed, and what stands before it
  const CommandWords* command_ = &known_.program;
  const OptionWords* waiting_ = nullptr;  // whose value follows
  std::vector<std::string> given_;        // positionals
  lsp::Workspace workspace_{{}, lsp::Encoding::utf8};
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
  local tab=$'\t'
  local -a all open whole shown
  all=(${(f)"$(lacuna __complete "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)"})
  open=(${(M)all:#*[:=/]$tab*}) whole=(${all:#*[:=/]$tab*})
  shown=(${open/$tab/  -- }) open=(${open%%$tab*})
  compadd -l -S '' -d shown -a open
  shown=(${whole/$tab/  -- }) whole=(${whole%%$tab*})
  compadd -l -d shown -a whole
}
compdef _lacuna lacuna
[[ $funcstack[1] != _lacuna ]] || _lacuna "$@"
)sh";

constexpr const char* fishScript =
    "# Completes the words of lacuna in fish; made by `lacuna completion fish`.\n"
    "complete -c lacuna -f -a '(lacuna __complete (commandline -cp | string collect) 2>/dev/null)'\n";

}  // namespace

int runComplete(const std::string& line) {
  try {
    Completion(line).print();
  } catch (const std::exception&) {
    // A shell has no place for messages.
  }
  return exitOk;
}

std::string completionScript(const std::string& shell) {
  return shell == "bash" ? bashScript : shell == "zsh" ? zshScript : fishScript;
}

}  // namespace lacuna
