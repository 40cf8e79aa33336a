#include "graph/shader/generate/body_outline.h"

#include <algorithm>

#include "graph/lists.h"

namespace lacuna {
namespace {

// Follows `#line N "file"` and line ends.
std::vector<PlacedToken> placeTokens(std::span<const Token> tokens,
                                     std::set<std::string, std::less<>>& files) {
  std::vector<PlacedToken> placed;
  std::string_view file;
  int line = 1;
  int column = 1;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::directive && token.text.starts_with("#line ")) {
      const size_t quote = token.text.find('"');
      line = std::stoi(token.text.substr(6)) - 1;  // the directive's own line end follows
      file = *files.insert(token.text.substr(quote + 1, token.text.rfind('"') - quote - 1)).first;
      continue;
    }
    if (token.kind != TokenKind::space)
      placed.push_back({token.kind, token.text, file, line, column});
    for (const char c : token.text) {
      column = c == '\n' ? 1 : column + 1;
      line += c == '\n' ? 1 : 0;
    }
  }
  return placed;
}

bool isQualifier(std::string_view word) {
  static const std::set<std::string_view> words = {
      "const",    "shared",   "uniform",   "buffer",    "in",       "out",       "inout",    "highp",
      "mediump",  "lowp",     "flat",      "smooth",    "centroid", "precise",   "coherent", "volatile",
      "restrict", "readonly", "writeonly", "invariant", "layout",   "attribute", "varying"};
  return words.count(word) != 0 || word == "spirv_instruction" || word == "spirv_by_reference" ||
         word == "spirv_literal";
}

class OutlineParser {
 public:
  explicit OutlineParser(Outline& outline) : out_(outline), tokens_(outline.tokens) {}

  void parse() {
    while (at_ < tokens_.size())
      statement();
  }

 private:
  bool more() const { return at_ < tokens_.size(); }
  bool isAt(std::string_view text) const { return more() && tokens_[at_].text == text; }

  void statement() {
    if (tokens_[at_].isWord()) {
      declaration();
    } else {
      const bool brackets = isAt("{") || isAt("(") || isAt("[");
      at_ = brackets ? after(at_) : at_ + 1;
    }
  }

  void declaration() {
    qualifiers_.clear();
    const size_t first = at_;
    readQualifiers();
    if (isAt("precision")) {
      toEnd();
      return;
    }
    std::string declared = isAt("struct") ? structure() : type();
    std::string word;
    size_t token = 0;
    const bool isNamed = name(word, token);
    bool byMacro = false;  // the first word stands for qualifiers
    while (isNamed && more() && tokens_[at_].isWord()) {
      declared = std::move(word);
      byMacro = name(word, token);
    }
    if (!isNamed) {
      interfaceOrEnd();
    } else if (isAt("(")) {
      FunctionOutline function;
      function.first = first;
      function.returnType = std::move(declared);
      function.name = std::move(word);
      function.nameToken = token;
      function.isInstruction =
          byMacro || std::count(qualifiers_.begin(), qualifiers_.end(), std::string("spirv_instruction")) > 0;
      at_ = after(at_);
      body(function);
    } else {
      variables(std::move(word), token);
    }
  }

  // `uniform Block { ... } name;`, a macro that expands to declarations, or something that is not a
  // declaration.
  void interfaceOrEnd() {
    if (!qualifiers_.empty())
      out_.variables.push_back({"", qualifiers_, std::min(at_, tokens_.size()) - 1});
    if (isAt("("))
      at_ = after(at_);
    else
      toEnd();
  }

  void readQualifiers() {
    while (more() && isQualifier(tokens_[at_].text)) {
      qualifiers_.push_back(tokens_[at_++].text);
      if ((qualifiers_.back() == "layout" || qualifiers_.back() == "spirv_instruction") && isAt("("))
        at_ = after(at_);
    }
  }

  // A type's name with its array sizes.
  std::string type() {
    readQualifiers();
    std::string text = more() && tokens_[at_].isWord() ? tokens_[at_++].text : std::string();
    return text + arraySizes();
  }

  std::string arraySizes() {
    std::string text;
    while (isAt("["))
      for (const size_t end = after(at_); at_ < end; ++at_)
        text += tokens_[at_].text;
    return text;
  }

  bool name(std::string& word, size_t& token) {
    if (!more() || !tokens_[at_].isWord())
      return false;
    token = at_;
    word = tokens_[at_++].text;
    return true;
  }

  std::string structure() {
    StructOutline found;
    ++at_;
    name(found.name, found.nameToken);
    if (isAt("{")) {
      const size_t end = after(at_);
      found.close = end - 1;
      for (++at_; at_ + 1 < end;)
        members(found, end - 1);
      at_ = end;
    }
    out_.structs.push_back(found);
    return found.name;
  }

  void members(StructOutline& found, size_t end) {
    const size_t before = at_;
    const std::string of = type();
    for (bool next = true; next && at_ < end;) {
      std::string word;
      size_t token = 0;
      if (name(word, token))
        found.members.emplace_back(of + arraySizes(), word);
      next = isAt(",");
      at_ += next ? 1 : 0;
    }
    at_ += isAt(";") || at_ == before ? 1 : 0;
  }

  void body(FunctionOutline& function) {
    if (isAt("{")) {
      function.open = at_;
      at_ = after(at_);
      function.close = at_ - 1;
    } else if (isAt(";")) {
      ++at_;
    }
    out_.functions.push_back(std::move(function));
  }

  void variables(std::string first, size_t token) {
    out_.variables.push_back({std::move(first), qualifiers_, token});
    while (more() && !isAt(";")) {
      if (isAt("(") || isAt("[") || isAt("{")) {
        at_ = after(at_);
      } else if (isAt(",") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].isWord()) {
        out_.variables.push_back({tokens_[at_ + 1].text, qualifiers_, at_ + 1});
        at_ += 2;
      } else {
        ++at_;
      }
    }
  }

  void toEnd() {
    while (more() && !isAt(";") && tokens_[at_].kind != TokenKind::directive)
      at_ = isAt("(") || isAt("[") || isAt("{") ? after(at_) : at_ + 1;
  }

  size_t after(size_t open) const { return afterBracket(tokens_, open); }

  Outline& out_;
  const std::vector<PlacedToken>& tokens_;
  std::vector<std::string> qualifiers_;
  size_t at_ = 0;
};

}  // namespace

const FunctionOutline* Outline::function(std::string_view name) const {
  return findNamed(functions, name);
}

const StructOutline* Outline::structNamed(std::string_view name) const {
  return findNamed(structs, name);
}

std::set<std::string> Outline::names() const {
  std::set<std::string> all = macros;
  for (const FunctionOutline& each : functions)
    all.insert(each.name);
  for (const StructOutline& each : structs)
    all.insert(each.name);
  for (const VariableOutline& each : variables)
    all.insert(each.name);
  all.erase("");
  return all;
}

Outline outlineOf(std::span<const Token> tokens) {
  Outline outline;
  outline.tokens = placeTokens(tokens, outline.files);
  for (const PlacedToken& token : outline.tokens) {
    const auto words =
        token.kind == TokenKind::directive ? directiveWords(token.text) : std::vector<std::string>();
    if (words.size() > 1 && words[0] == "define")
      outline.macros.insert(words[1]);
  }
  OutlineParser(outline).parse();
  return outline;
}

}  // namespace lacuna
