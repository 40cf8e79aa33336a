#include "graph/shader/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/config/regex.h"
#include "graph/config/text.h"

namespace lacuna {
namespace {

struct LogLine {
  std::string file;
  int line = 0;
  std::string word;  // the compiler quotes it; may be empty
  std::string text;
};

std::optional<LogLine> readLine(std::string_view line) {
  static const Regex form("^(.*):([0-9]+): error: '([^']*)' : *(.*)$");
  const auto found = form.find(line);
  if (!found)
    return std::nullopt;
  const auto& groups = found->groups;
  return LogLine{groups[1], std::stoi(groups[2]), plainWords(groups[3]), groups[4]};
}

// "LEFT_BRACE" -> "'{'".
std::string tokenText(const std::string& name) {
  static const std::map<std::string, std::string> symbols = {{"SEMICOLON", "';'"},
                                                             {"COMMA", "','"},
                                                             {"LEFT_PAREN", "'('"},
                                                             {"RIGHT_PAREN", "')'"},
                                                             {"LEFT_BRACE", "'{'"},
                                                             {"RIGHT_BRACE", "'}'"},
                                                             {"LEFT_BRACKET", "'['"},
                                                             {"RIGHT_BRACKET", "']'"},
                                                             {"EQUAL", "'='"},
                                                             {"IDENTIFIER", "a name"},
                                                             {"COLON", "':'"},
                                                             {"DOT", "'.'"},
                                                             {"FLOATCONSTANT", "a number"},
                                                             {"INTCONSTANT", "a number"},
                                                             {"UINTCONSTANT", "a number"},
                                                             {"PLUS", "'+'"},
                                                             {"DASH", "'-'"},
                                                             {"STAR", "'*'"},
                                                             {"SLASH", "'/'"},
                                                             {"LEFT_ANGLE", "'<'"},
                                                             {"RIGHT_ANGLE", "'>'"},
                                                             {"QUESTION", "'?'"},
                                                             {"end", "the end"}};
  const auto symbol = symbols.find(name);
  return symbol != symbols.end() ? symbol->second : "'" + lowerCase(name) + "'";
}

class LogReader {
 public:
  explicit LogReader(const CompiledBody& body) : body_(body), tokens_(body.outline.tokens), names_(body) {}

  BodyMistakes read(const std::string& log) {
    const auto lines = splitLines(log);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (const auto line = readLine(lines[i])) {
        // valueMistakes() reports this mistake, with the function's name.
        if (!line->text.starts_with("function does not return a value"))
          add(*line);
      } else if (lines[i].find("Recursion detected") != std::string_view::npos && i + 1 < lines.size()) {
        recursion(std::string(lines[i + 1]));
      }
    }
    return std::move(mistakes_);
  }

 private:
  void add(const LogLine& line) {
    const auto sameLine = [&](const BodyMistake& other) {
      return other.file == line.file && other.line == line.line;
    };
    if (body_.outline.files.count(line.file) == 0 || std::ranges::any_of(mistakes_, sameLine) ||
        !told_.insert(line.word + line.text + (names_.isUnknown(line.word) ? "" : std::to_string(line.line)))
             .second)
      return;
    BodyMistake mistake = placed(line);
    if (line.text.starts_with("syntax error")) {
      syntax(line, mistake);
    } else if (line.text.starts_with("no such field")) {
      member(line, mistake);
    } else if (line.text == "undeclared identifier") {
      mistake.message = fmt::format("'{}' is not declared", line.word);
      mistake.hint = names_.nearName(line.word, mistake);
    } else if (line.text == "no matching overloaded function found") {
      call(line, mistake);
    } else {
      mistake.message = plainMessage(line);
      mistake.hint = hintFor(line);
    }
    mistakes_.push_back(std::move(mistake));
  }

  static std::string hintFor(const LogLine& line) {
    if (line.text.find("can't modify a uniform") != std::string::npos)
      return "parameters are read only: copy them into variables";
    return line.text.find("a const") != std::string::npos && line.word == "assign" ? "it is const" : "";
  }

  // The compiler's names for symbols and phrases.
  static std::string plainMessage(const LogLine& line) {
    const std::string text = plainWords(line.text);
    if (text.starts_with("cannot convert from"))
      return "c" + text.substr(1);
    if (text.starts_with("l-value required"))
      return "this can't be set: it is read only";
    const bool isName = !line.word.empty() && line.word != "assign" && line.word != "constructor";
    return isName ? fmt::format("'{}': {}", line.word, text) : text;
  }

  // Index of the token that the message is about; tokens_.size(): unknown.
  size_t tokenOf(const LogLine& line) const {
    const std::string word = line.word == "assign" ? "=" : line.word;
    for (size_t i = 0; i < tokens_.size() && !word.empty(); ++i) {
      const bool here = tokens_[i].line == line.line && tokens_[i].file == line.file;
      if (here && word == "constructor" && names_.isType(tokens_[i].text) && i + 1 < tokens_.size() &&
          tokens_[i + 1].is("("))
        return i;
      if (here && (tokens_[i].is(word) || tokens_[i].is(word.substr(0, 1))) &&
          (tokens_[i].text.size() == word.size() || !tokens_[i].isWord()))
        return i;
    }
    return tokens_.size();
  }

  BodyMistake placed(const LogLine& line) const {
    if (const size_t token = tokenOf(line); token < tokens_.size())
      return mistakeAt(tokens_[token], {});
    return placeOf(body_.outline, line.file, line.line, "");
  }

  void member(const LogLine& line, BodyMistake& mistake) {
    const size_t token = tokenOf(line);
    const std::string owner = token >= 2 && token < tokens_.size() ? tokens_[token - 2].text : "";
    if (owner == "param") {
      mistake.message = fmt::format("there is no parameter '{}'", line.word);
      mistake.hint = names_.nearMember(line.word, body_.rules.parameters);
    } else if (const glslang::TType* type = names_.typeOf(owner, mistake)) {
      mistake.message = fmt::format("{} has no member '{}'", plainWords(structName(*type)), line.word);
      mistake.hint = names_.nearMember(line.word, membersOf(*type));
    } else {
      mistake.message = fmt::format("there is no member '{}'", line.word);
    }
  }

  void call(const LogLine& line, BodyMistake& mistake) {
    const size_t token = tokenOf(line);
    std::string heads;
    for (const ShaderFunction& function : body_.shader.functions())
      if (plainWords(function.name()) == line.word)
        heads += "\n  " + function.head();
    const FunctionOutline* own = body_.outline.function(line.word);
    if (own != nullptr && own->nameToken > token) {
      mistake.message = fmt::format("'{}' is called before it is defined", line.word);
      mistake.hint = fmt::format("define it further up, or declare it there:{};", heads);
    } else if (own != nullptr) {
      mistake.message =
          fmt::format("'{}' can't be called with these arguments\n  expected:{}", line.word, heads);
    } else if (names_.isUnknown(line.word)) {
      mistake.message = fmt::format("there is no function '{}'", line.word);
      mistake.hint = names_.nearFunction(line.word, mistake);
    } else {
      mistake.message = fmt::format("'{}' can't be called with these arguments", line.word);
    }
  }

  // "syntax error, unexpected RETURN, expecting COMMA or SEMICOLON"
  void syntax(const LogLine& line, BodyMistake& mistake) {
    static const Regex form(R"(.*unexpected (\w+)[^,]*(, expecting (.*))?$)");
    const auto found = form.find(line.text);
    const std::string unexpected = found ? found->groups[1] : "";
    const std::string expected = found ? found->groups[3] : "";
    if (const size_t misspelt = names_.misspeltType(line.file, line.line); misspelt < tokens_.size()) {
      const std::string& word = tokens_[misspelt].text;
      mistake = mistakeAt(tokens_[misspelt], fmt::format("'{}' is not a type", word), names_.nearType(word));
      return;
    }
    const size_t at = offending(line, unexpected);
    if (expected.find("SEMICOLON") != std::string::npos && at > 0 && at < tokens_.size()) {
      // The omitted token belongs behind the token before, often a line above.
      const PlacedToken& before = tokens_[at - 1];
      mistake = mistakeAt(before, fmt::format("expected ';' behind '{}'", before.text));
      return;
    }
    mistake = at < tokens_.size() ? mistakeAt(tokens_[at], {}) : mistake;
    mistake.message =
        "unexpected " + (at < tokens_.size() ? "'" + tokens_[at].text + "'" : tokenText(unexpected));
    const std::string first = expected.substr(0, expected.find(' '));
    mistake.message += first.empty() ? "" : ", expected " + tokenText(first);
  }

  // The token at which the parser failed: one of the kind that it names, after a complete expression.
  size_t offending(const LogLine& line, const std::string& kind) const {
    const std::string text = tokenText(kind);
    size_t first = tokens_.size();
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const PlacedToken& token = tokens_[i];
      if (token.line != line.line || token.file != line.file || token.kind == TokenKind::directive)
        continue;
      const bool fits = (kind == "IDENTIFIER" && token.isWord()) ||
                        (text == "a number" && token.kind == TokenKind::number) ||
                        "'" + token.text + "'" == text;
      const bool behind =
          i > 0 && (tokens_[i - 1].isWord() || tokens_[i - 1].kind == TokenKind::number ||
                    tokens_[i - 1].is(")") || tokens_[i - 1].is("]") || tokens_[i - 1].is("}"));
      const bool declares = i > 0 && names_.isType(tokens_[i - 1].text);
      if (fits && behind && !declares)
        return i;
      first = fits && first == tokens_.size() ? i : first;
    }
    return first;
  }

  // "NAME:     n0_a(f1; calling n0_b(f1;"
  void recursion(const std::string& line) {
    static const Regex form(R"((\w+)\([^;]*;? calling (\w+)\()");
    const auto found = form.find(line);
    if (!found)
      return;
    const std::string caller = plainWords(found->groups[1]);
    const std::string called = plainWords(found->groups[2]);
    for (const FunctionOutline& function : body_.outline.functions) {
      for (size_t i = function.open; function.name == caller && i < function.close; ++i) {
        if (tokens_[i].is(called) && tokens_[i + 1].is("(")) {
          const std::string who = caller == called
                                      ? fmt::format("'{}' calls itself", caller)
                                      : fmt::format("'{}' and '{}' call each other", caller, called);
          mistakes_.push_back(mistakeAt(tokens_[i], who + ": GLSL has no recursion"));
          return;
        }
      }
    }
  }

  const CompiledBody& body_;
  const std::vector<PlacedToken>& tokens_;
  const BodyNames names_;
  std::set<std::string> told_;  // missing names are reported once
  BodyMistakes mistakes_;
};

}  // namespace

std::string plainWords(std::string text) {
  static const Regex qualifier(
      R"(\b(const|temp|global|in|inout|out|uniform|shared|highp|mediump|lowp|readonly|buffer) )");
  const size_t quoted = text.rfind('\'') + 1;  // behind it are sentences
  text = qualifier.replace(text.substr(0, quoted), "") + text.substr(quoted);
  struct Change {
    Regex from;
    const char* to;
  };
  static const Change changes[] = {
      {Regex(R"(layout\([^)]*\) ?)"), ""},
      {Regex("([0-9])-component vector of float"), "vec$1"},
      {Regex("([0-9])-component vector of int"), "ivec$1"},
      {Regex("([0-9])-component vector of uint"), "uvec$1"},
      {Regex("([0-9])-component vector of bool"), "bvec$1"},
      {Regex(R"(([0-9])X\1 matrix of float)"), "mat$1"},
      {Regex("([0-9])X([0-9]) matrix of float"), "mat$1x$2"},
      {Regex(R"(([0-9]+)-element array of (\w+))"), "$2[$1]"},
      {Regex(R"(structure\{[^}]*\})"), "struct"},
      {Regex("' +([^' ]+')"), "'$1"},
      {Regex(R"(\b[nb][0-9]+_)"), ""},
      {Regex(R"( \(or there is no acceptable conversion\))"), ""},
      {Regex("wrong operand types: no operation '([^']*)' exists that takes a left-hand operand of type "
             "'([^']*)' and a right operand of type '([^']*)'"),
       "there is no $2 $1 $3"},
      {Regex("wrong operand type no operation '([^']*)' exists that takes an operand of type +(.*)"),
       "there is no $1 $2"}};
  for (const auto& [from, to] : changes)
    text = from.replace(text, to);
  static const Regex word(R"(\w+_\b)");
  std::string out;
  size_t begin = 0;
  for (const RegexMatch& match : word.findAll(text)) {
    const std::string plain = text.substr(match.begin, match.end - match.begin - 1);
    out += text.substr(begin, match.begin - begin);
    out += memberName(plain) == match.groups[0] ? plain : match.groups[0];
    begin = match.end;
  }
  return out + text.substr(begin);
}

BodyMistake placeOf(const Outline& outline, const std::string& file, int line, const std::string& word) {
  BodyMistake place{file, line, 0, 1, {}, {}};
  for (size_t i = 0; i < outline.tokens.size(); ++i) {
    const PlacedToken& token = outline.tokens[i];
    if (token.line != line || token.file != file)
      continue;
    const bool declares = i > 0 && outline.tokens[i - 1].isWord() && !outline.tokens[i - 1].is("return");
    if (token.is(word) && !declares)
      return mistakeAt(token, {});
    place.column = place.column == 0 ? token.column : place.column;
    place.length = token.column + static_cast<int>(token.text.size()) - place.column;
  }
  return place;
}

std::vector<std::string> membersOf(const glslang::TType& type) {
  std::vector<std::string> members;
  for (size_t i = 0; type.isStruct() && i < type.getStruct()->size(); ++i)
    members.push_back(plainWords((*type.getStruct())[i].type->getFieldName().c_str()));
  return members;
}

BodyMistakes readCompilerLog(const std::string& log, const CompiledBody& body) {
  return LogReader(body).read(log);
}

}  // namespace lacuna
