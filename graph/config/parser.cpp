#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "graph/config/config.h"
#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr int maxIncludedFiles = 1000;
constexpr std::string_view version = "1";

constexpr size_t anyNumber = std::numeric_limits<size_t>::max();

class Parser {
 public:
  // `roots`: folders that included files must lie in or below.
  Parser(Diagnostics& diagnostics, std::vector<fs::path> roots)
      : diagnostics_(diagnostics), roots_(std::move(roots)) {}

  void parse(int file, const std::string& text, const fs::path& path, bool included);
  Config take() { return std::move(config_); }

 private:
  struct OpenFile {
    int file;
    fs::path path;
    bool included;
    bool begun = false;  // a line other than a comment was seen
  };

  void parseLine(std::string_view line, int number);
  void wrongLine(const std::vector<Word>& words);
  void header(const std::vector<Word>& words);
  bool hasRightCount(const LineForm& form, const std::vector<Word>& words);
  void statement(const std::string& keyword, const std::vector<Word>& words);
  void frames(const std::vector<Word>& words);
  void framesPerSecond(const std::vector<Word>& words);
  void write(const std::vector<Word>& words);
  void warmUp(const std::vector<Word>& words);
  void module(const std::vector<Word>& words);
  void connect(const std::vector<Word>& words, bool feedback);
  void param(const std::vector<Word>& words, size_t firstName, std::optional<int> frame);
  void keyframe(const std::vector<Word>& words);
  void include(const std::vector<Word>& words);

  bool areNames(const std::vector<Word>& words, size_t first, size_t count);
  bool isFirst(const Word& keyword, std::optional<Location>& earlier);
  void error(const Word& word, std::string message, std::string hint = {}) {
    diagnostics_.error(word.where, std::move(message), std::move(hint));
  }

  Diagnostics& diagnostics_;
  Config config_;
  std::vector<fs::path> roots_;
  std::vector<OpenFile> open_;  // the innermost include comes last
  int included_ = 0;
  std::optional<Location> frames_, framesPerSecond_, write_, warmUp_;
};

void Parser::parse(int file, const std::string& text, const fs::path& path, bool included) {
  open_.push_back({file, path, included});
  if (text.find('\0') != std::string::npos) {
    const size_t at = text.find('\0');
    const auto line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
    const size_t lineStart = at == 0 ? 0 : text.rfind('\n', at) + 1;  // npos + 1 is 0
    diagnostics_.error({file, line + 1, static_cast<int>(at - lineStart) + 1, 1},
                       "a zero byte: this is not a text file");
    open_.pop_back();
    return;
  }
  int number = 0;
  for (const std::string_view line : splitLines(text)) {
    if (diagnostics_.isFull())
      break;
    parseLine(line, ++number);
  }
  if (!open_.back().begun && !included)
    diagnostics_.error({file, 0, 0, 1}, "the file is empty", "a graph file starts with lacuna:1");
  open_.pop_back();
}

void Parser::parseLine(std::string_view line, int number) {
  const Location where{open_.back().file, number, 1, 1};
  if (!isText(line, where, diagnostics_)) {
    open_.back().begun = true;
    return;
  }
  const LexedLine lexed = lexLine(line, where, diagnostics_);
  const bool first = !open_.back().begun;
  open_.back().begun = !first || lexed.wrong || !lexed.words.empty();
  if (lexed.wrong) {
    wrongLine(lexed.words);
    return;
  }
  if (lexed.words.empty())
    return;
  const Word& keyword = lexed.words[0];
  if (first && keyword.text == "lacuna") {
    header(lexed.words);
    return;
  }
  if (first && !open_.back().included)
    error(keyword, "the file does not start with its version", "write lacuna:1 before everything else");
  const LineForm* form = findLineForm(keyword.text);
  if (form == nullptr || keyword.quoted) {
    std::vector<std::string> known;
    for (const LineForm& each : lineForms())
      known.push_back(each.keyword);
    const std::string hint = keyword.quoted ? "" : commentHint(keyword.text);
    error(keyword, fmt::format("unknown keyword '{}'", keyword.text),
          hint.empty() ? suggest(keyword.text, known) : hint);
    return;
  }
  if (hasRightCount(*form, lexed.words))
    statement(keyword.text, lexed.words);
}

// Of a parameter whose value can't be read it is known that it was set.
void Parser::wrongLine(const std::vector<Word>& words) {
  if (words.size() >= 4 && words[0].text == "param")
    config_.params.push_back({{words[1], words[2]}, words[3]});
}

bool Parser::hasRightCount(const LineForm& form, const std::vector<Word>& words) {
  const size_t count = words.size() - 1;
  const bool halfPosition = form.keyword == "module" && count == 3;
  if (count >= form.least && count <= form.most && !halfPosition)
    return true;
  const std::string wanted = form.keyword == "module" ? "2 or 4"
                             : form.most == anyNumber ? fmt::format("at least {}", form.least)
                                                      : fmt::format("{}", form.least);
  error(words[0],
        fmt::format("'{}' takes {} word{}, got {}", form.keyword, wanted, form.least == 1 ? "" : "s", count),
        "expected " + form.expected);
  return false;
}

void Parser::header(const std::vector<Word>& words) {
  if (hasRightCount(*findLineForm("lacuna"), words) && words[1].text != version) {
    error(words[1], fmt::format("version '{}' of the file is not known", words[1].text),
          "this program reads lacuna:1");
  }
}

void Parser::statement(const std::string& keyword, const std::vector<Word>& words) {
  if (keyword == "lacuna")
    error(words[0], "the version may only be at the beginning of a file");
  else if (keyword == "frames")
    frames(words);
  else if (keyword == "fps")
    framesPerSecond(words);
  else if (keyword == "write")
    write(words);
  else if (keyword == "warmup")
    warmUp(words);
  else if (keyword == "module")
    module(words);
  else if (keyword == "connect" || keyword == "feedback")
    connect(words, keyword == "feedback");
  else if (keyword == "param")
    param(words, 1, std::nullopt);
  else if (keyword == "keyframe")
    keyframe(words);
  else
    include(words);
}

bool Parser::areNames(const std::vector<Word>& words, size_t first, size_t count) {
  bool valid = true;
  for (size_t i = first; i < first + count; ++i) {
    if (words[i].text.empty()) {
      error(words[i], "a name is missing here");
      valid = false;
    } else if (!isName(words[i].text)) {
      error(words[i], fmt::format("'{}' is not a name", words[i].text),
            "names have letters, digits, '-' and '_'");
      valid = false;
    }
  }
  return valid;
}

// Reports a setting that is repeated. Remembers the place of the first one.
bool Parser::isFirst(const Word& keyword, std::optional<Location>& earlier) {
  if (earlier) {
    const bool sameFile = earlier->file == keyword.where.file;
    error(keyword, fmt::format("'{}' is given twice, first in {}line {}", keyword.text,
                               sameFile ? "" : diagnostics_.fileName(earlier->file) + " ", earlier->line));
    return false;
  }
  earlier = keyword.where;
  return true;
}

void Parser::frames(const std::vector<Word>& words) {
  const auto value = parseInteger(words[1].text);
  if (!value || *value < 1 || *value > mostFrames) {
    error(words[1],
          fmt::format("expected a number of frames from 1 to {}, got '{}'", mostFrames, words[1].text));
  } else if (isFirst(words[0], frames_)) {
    config_.frames = static_cast<int>(*value);
  }
}

void Parser::framesPerSecond(const std::vector<Word>& words) {
  const auto value = parseNumber(words[1].text);
  if (!value || !(static_cast<float>(*value) > 0) || *value > 1e6) {
    error(words[1],
          fmt::format("expected frames per second, above 0 and up to 1000000, got '{}'", words[1].text));
  } else if (isFirst(words[0], framesPerSecond_)) {
    config_.framesPerSecond = static_cast<float>(*value);
  }
}

void Parser::write(const std::vector<Word>& words) {
  const bool last = words[1].text == "last";
  if (!last && words[1].text != "all") {
    error(words[1], fmt::format("expected all or last, got '{}'", words[1].text),
          "--frames of `lacuna run` chooses single frames");
  } else if (isFirst(words[0], write_)) {
    config_.writesLast = last;
  }
}

void Parser::warmUp(const std::vector<Word>& words) {
  const bool all = words[1].text == "all";
  const int64_t frames = all ? 0 : parseInteger(words[1].text).value_or(-1);
  if (frames < 0 || frames > std::numeric_limits<int>::max())
    error(words[1], fmt::format("expected a number of frames from 0 on, or all, got '{}'", words[1].text));
  else if (isFirst(words[0], warmUp_))
    config_.warmUp = WarmUpLine{all ? std::nullopt : std::optional(static_cast<int>(frames)), words[0].where};
}

void Parser::module(const std::vector<Word>& words) {
  if (!areNames(words, 1, 2))
    return;
  ModuleLine line{{words[1], words[2]}, {}};
  if (words.size() == 5) {
    std::array<float, 2> position{};
    for (size_t i = 0; i < 2; ++i) {
      const auto value = parseNumber(words[3 + i].text);
      if (!value || !std::isfinite(static_cast<float>(*value)))
        error(words[3 + i], fmt::format("expected a position, got '{}'", words[3 + i].text));
      else
        position[i] = static_cast<float>(*value);
    }
    line.position = position;
  }
  config_.modules.push_back(std::move(line));
}

void Parser::connect(const std::vector<Word>& words, bool feedback) {
  if (areNames(words, 1, 6)) {
    config_.connections.push_back(
        {{{words[1], words[2]}, words[3]}, {{words[4], words[5]}, words[6]}, feedback});
  }
}

void Parser::param(const std::vector<Word>& words, size_t firstName, std::optional<int> frame) {
  if (!areNames(words, firstName, 3))
    return;
  ParamLine line{{words[firstName], words[firstName + 1]}, words[firstName + 2], {}, frame};
  line.values.assign(words.begin() + static_cast<long>(firstName) + 3, words.end());
  // A value may be called "linear", too: the last word is the interpolation only if a value remains.
  if (frame && line.values.size() > 1 && !line.values.back().quoted) {
    const std::string& last = line.values.back().text;
    if (last == "linear" || last == "step") {
      line.interpolation = last == "linear" ? Interpolation::linear : Interpolation::step;
      line.values.pop_back();
    }
  }
  for (const Word& value : line.values) {
    if (value.text.empty() && !value.quoted) {
      error(value, "a value is missing here", "write \"\" for an empty text");
      return;
    }
  }
  (frame ? config_.keyframes : config_.params).push_back(std::move(line));
}

void Parser::keyframe(const std::vector<Word>& words) {
  const auto frame = parseInteger(words[1].text);
  if (!frame || *frame < 0 || *frame > std::numeric_limits<int>::max()) {
    error(words[1], fmt::format("expected a frame number from 0 on, got '{}'", words[1].text));
    return;
  }
  param(words, 2, static_cast<int>(*frame));
}

void Parser::include(const std::vector<Word>& words) {
  const Word& name = words[1];
  if (name.text.empty()) {
    error(name, "a file name is missing here");
    return;
  }
  const fs::path path = (open_.back().path.parent_path() / name.text).lexically_normal();
  std::error_code failed;
  for (size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].path == path || (fs::equivalent(open_[i].path, path, failed) && !failed)) {
      std::string chain;
      for (size_t j = i; j < open_.size(); ++j)
        chain += open_[j].path.generic_string() + " -> ";
      error(name, fmt::format("the file includes itself: {}{}", chain, path.generic_string()));
      return;
    }
  }
  if (++included_ > maxIncludedFiles) {
    if (included_ == maxIncludedFiles + 1)
      error(name, fmt::format("more than {} files are included", maxIncludedFiles));
    return;
  }
  if (!liesWithin(path, roots_)) {
    error(name, fmt::format("'{}' is outside the folder of the graph", path.generic_string()),
          "graphs include files of their folder and below; --include-root FOLDER allows another folder");
    return;
  }
  FileText read = readTextFile(path.string());
  if (!read.error.empty()) {
    error(name, fmt::format("'{}' cannot be read: {}", path.generic_string(), read.error));
    return;
  }
  parse(diagnostics_.addFile(path.generic_string(), read.text), read.text, path, true);
}

// Whether some line begins with a keyword, or all lines are empty or comments.
bool isGraph(std::string_view text) {
  bool isEmpty = true;
  for (std::string_view line : splitLines(afterByteOrderMark(text))) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (findLineForm(line.substr(0, line.find_first_of(": \t\r"))) != nullptr)
      return true;
    isEmpty = isEmpty && (line.empty() || line.starts_with('#'));
  }
  return isEmpty;
}

}  // namespace

const std::vector<LineForm>& lineForms() {
  using enum WordRole;
  static const std::vector<WordRole> ends = {module, instance, output, module, instance, input};
  static const std::vector<LineForm> all = {
      {"lacuna", 1, 1, {option}, "lacuna:1", {std::string(version)}},
      {"frames", 1, 1, {number}, "frames:COUNT"},
      {"fps", 1, 1, {number}, "fps:RATE"},
      {"write", 1, 1, {option}, "write:all or write:last", {"all", "last"}},
      {"warmup", 1, 1, {option}, "warmup:COUNT or warmup:all", {"all"}},
      {"module", 2, 4, {module, instance, number}, "module:MODULE:INSTANCE or module:MODULE:INSTANCE:X:Y"},
      {"connect", 6, 6, ends, "connect:MODULE:INSTANCE:OUTPUT:MODULE:INSTANCE:INPUT"},
      {"feedback", 6, 6, ends, "feedback:MODULE:INSTANCE:OUTPUT:MODULE:INSTANCE:INPUT"},
      {"param",
       4,
       anyNumber,
       {module, instance, parameter, value},
       "param:MODULE:INSTANCE:PARAMETER:VALUE[:VALUE...]"},
      {"keyframe",
       5,
       anyNumber,
       {frame, module, instance, parameter, value},
       "keyframe:FRAME:MODULE:INSTANCE:PARAMETER:VALUE[:VALUE...][:linear|:step]",
       {"linear", "step"}},
      {"include", 1, 1, {file}, "include:FILE"},
  };
  return all;
}

const LineForm* findLineForm(std::string_view keyword) {
  return findWhere(lineForms(), [&](const LineForm& form) { return form.keyword == keyword; });
}

WordRole roleOf(const std::vector<Word>& line, size_t index) {
  if (index == 0)
    return WordRole::keyword;
  const LineForm* form = findLineForm(line[0].text);
  return form == nullptr ? WordRole::number : form->roles[std::min(index, form->roles.size()) - 1];
}

Config parseConfigFile(const std::string& path, Diagnostics& diagnostics,
                       const std::vector<std::string>& includeRoots) {
  FileText read = readTextFileOrPipe(path);
  if (!read.error.empty()) {
    const int file = diagnostics.addFile(path, {});
    diagnostics.error({file, 0, 0, 1}, "the file cannot be read: " + read.error);
    Config config;
    config.folder = fs::path(path).parent_path().string();
    config.file = file;
    return config;
  }
  return parseConfigText(read.text, path, diagnostics, includeRoots);
}

Config parseConfigText(const std::string& text, const std::string& name, Diagnostics& diagnostics,
                       const std::vector<std::string>& includeRoots) {
  std::vector<fs::path> roots(includeRoots.begin(), includeRoots.end());
  roots.push_back(fs::path(name).parent_path());
  Parser parser(diagnostics, std::move(roots));
  const int file = diagnostics.addFile(name, text);
  if (isGraph(text)) {
    parser.parse(file, text, name, false);
  } else {  // whose lines aren't reported
    diagnostics.error({file, 0, 0, 1}, "the file is not a graph: none of its lines begins with a keyword",
                      "a graph file starts with lacuna:1");
  }
  Config config = parser.take();
  config.folder = fs::path(name).parent_path().string();
  config.file = file;
  return config;
}

}  // namespace lacuna
