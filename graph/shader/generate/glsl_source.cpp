#include "graph/shader/generate/glsl_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/shader/generate/body_check.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Names that the generator declares for each body beside the author's own.
const std::set<std::string> generatedNames = {"Tap",     "Sample", "State", "Inputs",
                                              "Outputs", "Value",  "param"};
// Prefixes before an input's or output's name.
constexpr std::array<std::string_view, 4> generatedPrefixes = {"has_", "colour_", "colourAt_", "wanted_"};

// The prefix of an array's views (array_view.h), before its name.
constexpr std::array<std::string_view, 4> arrayViews = {"array_", "vectors_", "words_", "quads_"};

std::string pathOf(const BodyRequest& request, const std::string& file) {
  return (fs::path(request.folder) / file).lexically_normal().string();
}

class IncludeReader {
  using Words = std::vector<std::string>;

 public:
  IncludeReader(const BodyRequest& request, BodyMistakes& mistakes)
      : request_(request), made_(madeFiles(request)), mistakes_(mistakes), roots_(rootsOf(request)) {}

  std::string expand(const std::string& path, const BodyMistake& wantedBy) {
    const auto open = std::find(open_.begin(), open_.end(), path);
    if (open != open_.end()) {
      addMistake(wantedBy, fmt::format("this file includes itself: {}", ring(open)));
      return {};
    }
    if (!seen_.insert(path).second)
      return {};  // each file once a body
    const std::optional<std::string> text = read(path);
    if (!text) {
      addMistake(wantedBy, fmt::format("the file {} can't be read", path));
      return {};
    }
    open_.push_back(path);
    std::string out = fmt::format("#line 1 \"{}\"\n", path);
    std::istringstream lines(*text);
    std::string line;
    bool comment = false;
    for (int number = 1; std::getline(lines, line); ++number) {
      const size_t start = line.find_first_not_of(" \t");
      const bool commented = comment;
      trackComment(line, comment);
      if (!commented && start != std::string::npos && line.compare(start, 8, "#include") == 0) {
        out += include(line, {path, number, static_cast<int>(start) + 1, 8, {}, {}});
        out += fmt::format("#line {} \"{}\"\n", number + 1, path);
      } else if (!commented && isLineDirective(line)) {
        addMistake({path, number, static_cast<int>(start) + 1, 5, {}, {}}, "bodies may not have #line");
        out += "\n";
      } else {
        out += line + "\n";
      }
    }
    open_.pop_back();
    return out;
  }

 private:
  static bool isLineDirective(const std::string& line) {
    const size_t start = line.find_first_not_of(" \t");
    const auto words =
        start != std::string::npos && line[start] == '#' ? directiveWords(line.substr(start)) : Words{};
    return !words.empty() && words[0] == "line";
  }

  // Whether the next line starts inside /* */.
  static void trackComment(const std::string& line, bool& comment) {
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      if (!comment && line.compare(i, 2, "//") == 0)
        return;
      if (line.compare(i, 2, comment ? "*/" : "/*") == 0) {
        comment = !comment;
        ++i;
      }
    }
  }

  std::string ring(std::vector<std::string>::const_iterator from) const {
    std::string text;
    for (auto file = from; file != open_.end(); ++file)
      text += fs::path(*file).filename().string() + " -> ";
    return text + fs::path(*from).filename().string();
  }

  void addMistake(BodyMistake mistake, std::string message, std::string hint = {}) {
    mistake.message = std::move(message);
    mistake.hint = std::move(hint);
    mistakes_.push_back(std::move(mistake));
  }

  std::optional<std::string> read(const std::string& path) const {
    if (const auto made = made_.find(path); made != made_.end())
      return made->second;
    FileText file = readTextFile(path);
    return file.error.empty() ? std::optional(std::string(afterByteOrderMark(file.text))) : std::nullopt;
  }

  std::string include(const std::string& line, BodyMistake place) {
    const size_t open = line.find('"');
    const size_t close = open == std::string::npos ? open : line.find('"', open + 1);
    if (close == std::string::npos) {
      addMistake(std::move(place), "expected #include \"FILE\", with quotes");
      return {};
    }
    const std::string name = line.substr(open + 1, close - open - 1);
    place.column = static_cast<int>(open) + 1;
    place.length = static_cast<int>(close - open) + 1;
    if (const auto path = find(name, place.file))
      return expand(*path, place);
    addMistake(place, fmt::format("there is no file \"{}\" to include", name), nearFile(name, place.file));
    return {};
  }

  std::vector<fs::path> folders(const std::string& from) const {
    std::vector<fs::path> all = {fs::path(from).parent_path(), request_.folder,
                                 fs::path(request_.folder).parent_path()};
    all.insert(all.end(), request_.includePath.begin(), request_.includePath.end());
    return all;
  }

  static std::vector<fs::path> rootsOf(const BodyRequest& request) {
    const fs::path own = request.folder;
    std::vector<fs::path> all = {own, own.parent_path(), own / ".."};
    all.insert(all.end(), request.includePath.begin(), request.includePath.end());
    return all;
  }

  std::optional<std::string> find(const std::string& name, const std::string& from) const {
    if (request_.made != nullptr && request_.made->count(name) != 0)
      return pathOf(request_, name);
    for (const fs::path& folder : folders(from)) {
      std::error_code failed;
      if (!name.empty() && fs::is_regular_file(folder / name, failed) && roots_.hold(folder / name))
        return (folder / name).lexically_normal().string();
    }
    return std::nullopt;
  }

  // The nearest name in the folders that were searched; none of other folders, whose names must not leak.
  std::string nearFile(const std::string& name, const std::string& from) const {
    std::vector<std::string> names;
    const fs::path within = fs::path(name).parent_path();
    for (const fs::path& folder : folders(from)) {
      std::error_code failed;
      if (!roots_.hold(folder / within))
        continue;
      for (fs::directory_iterator entry(folder / within, failed), end; !failed && entry != end;
           entry.increment(failed))
        names.push_back((within / entry->path().filename()).string());
    }
    const std::string near = didYouMean(name, names);
    return near.empty() ? "the module's folder, its parent, and the folders of modules are searched" : near;
  }

  const BodyRequest& request_;
  const MadeFiles made_;
  BodyMistakes& mistakes_;
  const Folders roots_;  // that included files must come from
  std::set<std::string> seen_;
  std::vector<std::string> open_;  // files that are being read, each included by the one before
};

class Renamer {
 public:
  Renamer(const BodyRequest& request, const std::set<std::string>& names)
      : request_(request), names_(names) {}

  std::string rename(const std::vector<Token>& tokens) {
    std::string out;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      trackStruct(token);
      if (token.kind == TokenKind::identifier) {
        indexAhead_ = indexAhead_ || isStandIn(tokens, i);
        out += identifier(tokens, i);
      } else if (token.text == "[" || token.text == "]") {
        out += bracket(token.text == "[");
      } else if (token.kind == TokenKind::directive && token.text.compare(0, 5, "#line") != 0) {
        out += "#" + rename(tokenize(std::string_view(token.text).substr(1)));
      } else {
        out += token.text;
      }
    }
    return out;
  }

 private:
  // array_NAME.data[...] of a stand-in, or another view of it.
  bool isStandIn(const std::vector<Token>& tokens, size_t i) const {
    const std::string& text = tokens[i].text;
    const bool isView = std::any_of(arrayViews.begin(), arrayViews.end(), [&](std::string_view view) {
      return text.starts_with(view) && request_.standIns.count(text.substr(view.size())) != 0;
    });
    return isView && neighbour(tokens, i, 1) == "." && neighbour(tokens, i, 2) == "data" &&
           neighbour(tokens, i, 3) == "[";
  }

  // Any index of a stand-in becomes 0.
  std::string bracket(bool opens) {
    if (opens) {
      standInBrackets_.push_back(std::exchange(indexAhead_, false));
      return standInBrackets_.back() ? "[0 * int(" : "[";
    }
    const bool ends = !standInBrackets_.empty() && standInBrackets_.back();
    if (!standInBrackets_.empty())
      standInBrackets_.pop_back();
    return ends ? ")]" : "]";
  }

  std::string identifier(const std::vector<Token>& tokens, size_t& i) const {
    const std::string& text = tokens[i].text;
    const std::string before = neighbour(tokens, i, -1);
    if (before == "." || (structBraces_ > 0 && declaresMember(before, neighbour(tokens, i, 1))))
      return memberName(text);
    if (text == "param" && i + 2 < tokens.size() && tokens[i + 1].text == ".") {
      const auto bound = request_.bound.find(tokens[i + 2].text);
      if (bound != request_.bound.end()) {
        i += 2;
        return bound->second;
      }
    }
    const bool tells = std::any_of(generatedPrefixes.begin(), generatedPrefixes.end(),
                                   [&](std::string_view prefix) { return text.starts_with(prefix); });
    if (names_.count(text) != 0 || generatedNames.count(text) != 0 || tells)
      return request_.prefix + "_" + memberName(text);
    return text;
  }

  // The token at this distance (below 0: before), without white space and comments; "" beyond an end.
  static std::string neighbour(const std::vector<Token>& tokens, size_t i, int steps) {
    const size_t step = steps > 0 ? size_t{1} : ~size_t{0};
    for (int left = std::abs(steps); left > 0; --left)
      do {
        i += step;
      } while (i < tokens.size() && tokens[i].kind == TokenKind::space);
    return i < tokens.size() ? tokens[i].text : "";
  }

  // Members keep their names, even if a function has the same one: `float luminance;` in a struct. A word at
  // the start of a declaration or in brackets is a type or a size.
  static bool declaresMember(const std::string& before, const std::string& after) {
    const bool named = after == ";" || after == "," || after == "[";
    return named && before != "{" && before != ";" && before != "[";
  }

  void trackStruct(const Token& token) {
    if (token.text == "struct" && token.kind == TokenKind::identifier) {
      structAhead_ = true;
    } else if (token.text == "{" && (structAhead_ || structBraces_ > 0)) {
      structAhead_ = false;
      ++structBraces_;
    } else if (token.text == "}" && structBraces_ > 0) {
      --structBraces_;
    }
  }

  const BodyRequest& request_;
  const std::set<std::string>& names_;
  bool structAhead_ = false;
  int structBraces_ = 0;
  bool indexAhead_ = false;            // of a stand-in
  std::vector<bool> standInBrackets_;  // for each open bracket: whether it holds such an index
};

}  // namespace

std::set<std::string> fileScopeNames(std::string_view glsl) {
  return outlineOf(tokenize(glsl)).names();
}

std::string memberName(const std::string& name) {
  static const std::set<std::string> reserved = {
      "active", "asm",      "attribute", "bool",     "buffer",    "case",      "cast",     "centroid",
      "class",  "coherent", "common",    "const",    "default",   "discard",   "do",       "double",
      "else",   "enum",     "extern",    "external", "false",     "filter",    "fixed",    "flat",
      "float",  "for",      "frame",     "goto",     "half",      "highp",     "if",       "in",
      "inline", "inout",    "input",     "int",      "interface", "invariant", "layout",   "long",
      "lowp",   "mediump",  "namespace", "noinline", "out",       "output",    "packed",   "partition",
      "patch",  "precise",  "precision", "public",   "readonly",  "resource",  "restrict", "return",
      "sample", "shared",   "short",     "sizeof",   "smooth",    "static",    "struct",   "subroutine",
      "superp", "switch",   "template",  "this",     "true",      "typedef",   "uint",     "uniform",
      "union",  "unsigned", "using",     "varying",  "void",      "volatile",  "while",    "writeonly"};
  return reserved.count(name) != 0 ? name + "_" : name;
}

MadeFiles madeFiles(const BodyRequest& request) {
  MadeFiles files;
  if (request.made != nullptr)
    for (const auto& [file, text] : *request.made)
      files.emplace(pathOf(request, file), text);
  return files;
}

BodySource readBody(const BodyRequest& request) {
  BodySource source;
  source.path = pathOf(request, request.file);
  source.tokens =
      tokenize(IncludeReader(request, source.mistakes).expand(source.path, {source.path, 0, 0, 1, {}, {}}));
  return source;
}

Body nameApart(const BodySource& source, const BodyRequest& request) {
  const std::set<std::string> names = outlineOf(source.tokens).names();
  return {Renamer(request, names).rename(source.tokens), names, source.path};
}

Body loadBody(const BodyRequest& request) {
  BodySource source = readBody(request);
  const BodyMistakes form = checkForm(source.tokens);
  source.mistakes.insert(source.mistakes.end(), form.begin(), form.end());
  if (!source.mistakes.empty())
    throw ShaderSourceError(std::move(source.mistakes), madeFiles(request));
  return nameApart(source, request);
}

}  // namespace lacuna
