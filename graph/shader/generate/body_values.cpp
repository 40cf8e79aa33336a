#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "graph/shader/generate/body_check.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {
namespace {

enum class Use { read, set, changed, passed };  // changed: +=, ++; passed: alone as an argument

using PlacedTokens = std::vector<PlacedToken>;

// Prefixes of all functions by which a kernel may store an output.
constexpr std::array<const char*, 7> storeWords = {"store_", "storeRaw_", "array_", "vectors_",
                                                   "words_", "quads_",    "at_"};

// How the variable at `i` is used, with its members and elements.
Use useAt(const PlacedTokens& tokens, size_t i) {
  size_t end = i + 1;
  while (end + 1 < tokens.size() && (tokens[end].is(".") || tokens[end].is("["))) {
    end = tokens[end].is(".") ? end + 2 : afterBracket(tokens, end);
  }
  const auto text = [&](size_t at) { return at < tokens.size() ? std::string_view(tokens[at].text) : ""; };
  const std::string_view next = text(end);
  if (next == "=" && text(end + 1) != "=") {
    return Use::set;
  }
  const bool isTwice = text(end + 1) == next;
  if ((next.size() == 1 && std::string_view("+-*/%&|^").find(next[0]) != std::string_view::npos &&
       text(end + 1) == "=") ||
      ((next == "<" || next == ">") && isTwice && text(end + 2) == "=")) {
    return Use::changed;
  }
  const auto isCount = [&](size_t at) {
    return at + 1 < tokens.size() && (text(at) == "+" || text(at) == "-") && text(at) == text(at + 1) &&
           tokens[at].line == tokens[at + 1].line && tokens[at].column + 1 == tokens[at + 1].column;
  };
  if (isCount(end) || (i >= 2 && isCount(i - 2))) {
    return Use::changed;
  }
  const std::string_view before = i > 0 ? text(i - 1) : "";
  const bool isAlone = (before == "(" || before == ",") && (next == ")" || next == ",");
  return isAlone ? Use::passed : Use::read;
}

// Whether a function's statements surely end in a return.
class ReturnWalk {
 public:
  ReturnWalk(const Outline& outline, const FunctionOutline& function)
      : tokens_(outline.tokens), outline_(outline), at_(function.open), end_(function.close + 1) {}

  bool returns() { return statement(); }

 private:
  bool is(std::string_view text) const { return at_ < end_ && tokens_[at_].text == text; }

  bool statement() {
    if (is("[")) {  // [[unroll]]
      at_ = afterBracket(tokens_, at_);
    }
    if (is("{")) {
      return block();
    }
    const std::string word = at_ < end_ ? tokens_[at_].text : "";
    if (word == "if") {
      return branches();
    }
    if (word == "for" || word == "while") {
      return loop();
    }
    if (word == "switch") {
      at_ = afterBracket(tokens_, at_ + 1);
      return block() || true;  // cases are the author's
    }
    if (word == "do") {
      ++at_;
      const bool inside = statement();
      toEnd();
      return inside;
    }
    const bool leaves = word == "return" || word == "discard" || outline_.macros.count(word) != 0 ||
                        (at_ < end_ && tokens_[at_].kind == TokenKind::directive);
    if (at_ < end_ && tokens_[at_].kind == TokenKind::directive) {
      ++at_;
    } else {
      toEnd();
    }
    return leaves;
  }

  bool block() {
    const size_t close = afterBracket(tokens_, at_) - 1;
    bool returns = false;
    for (++at_; at_ < close;) {
      returns = statement() || returns;
    }
    at_ = close + 1;
    return returns;
  }

  bool branches() {
    at_ = afterBracket(tokens_, at_ + 1);
    const bool then = statement();
    if (!is("else")) {
      return false;
    }
    ++at_;
    return statement() && then;
  }

  // A loop without a condition only ends in a return.
  bool loop() {
    const size_t open = at_ + 1;
    at_ = afterBracket(tokens_, open);
    const bool endless =
        tokens_[at_ - 2].is("true") || (tokens_[at_ - 2].is(";") && tokens_[at_ - 3].is(";"));
    statement();
    return endless;
  }

  void toEnd() {
    while (at_ < end_ && !is(";")) {
      at_ = is("(") || is("[") || is("{") ? afterBracket(tokens_, at_) : at_ + 1;
    }
    ++at_;
  }

  const PlacedTokens& tokens_;
  const Outline& outline_;
  size_t at_;
  size_t end_;
};

class ValueCheck {
 public:
  ValueCheck(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes)
      : rules_(rules), outline_(outline), tokens_(outline.tokens), mistakes_(mistakes) {}

  void check() {
    for (const FunctionOutline& each : outline_.functions) {
      if (each.isDefined()) {
        result(each);
        parameters(each);
        variables(each);
      }
    }
    if (rules_.kind == NodeKind::kernel) {
      stores();
    }
  }

 private:
  void add(size_t token, std::string message, std::string hint = {}) {
    mistakes_.push_back(mistakeAt(tokens_[token], std::move(message), std::move(hint)));
  }

  void result(const FunctionOutline& function) {
    if (function.returnType != "void" && !ReturnWalk(outline_, function).returns()) {
      add(function.nameToken,
          fmt::format("'{}' can end without a value: it returns {}", function.name, function.returnType),
          "end it, and every branch that ends it, with `return`");
      mistakes_.back().lastLine = tokens_[function.close].line;
      mistakes_.back().yields = true;
    }
  }

  void parameters(const FunctionOutline& function) {
    for (const FunctionParameter& parameter : function.parameters) {
      if (parameter.type == "Inputs" && parameter.qualifier.empty()) {
        inputs(function, parameter.name);
      } else if (parameter.type == "Outputs" && rules_.entry(function.name) != nullptr) {
        outputs(function, parameter.name);
      }
    }
    frame(function);
  }

  // Calls visit(token, use) wherever the function names the variable.
  template <class Visit>
  void uses(const FunctionOutline& function, const std::string& name, const Visit& visit) const {
    for (size_t i = function.open; i < function.close; ++i) {
      if (tokens_[i].isWord() && tokens_[i].is(name) && !tokens_[i - 1].is(".")) {
        visit(i, useAt(tokens_, i));
      }
    }
  }

  void inputs(const FunctionOutline& function, const std::string& name) {
    uses(function, name, [&](size_t token, Use use) {
      if (use == Use::set || use == Use::changed) {
        add(token, fmt::format("inputs can't be set: '{}' is a copy of them", name),
            "set outputs, or a variable of your own");
      }
    });
  }

  void frame(const FunctionOutline& function) {
    uses(function, "frame", [&](size_t token, Use use) {
      if ((use == Use::set || use == Use::changed) && tokens_[token + 1].is(".") &&
          !declares(function, "frame")) {
        add(token, "'frame' can't be set", "copy it into a variable of your own");
      }
    });
  }

  bool declares(const FunctionOutline& function, const std::string& name) const {
    bool found = false;
    uses(function, name, [&](size_t token, Use) {
      found = found || (tokens_[token - 1].isWord() && !tokens_[token - 1].is("return"));
    });
    return found;
  }

  // A body may set them by a macro.
  bool isInMacro(const std::string& word) const {
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const PlacedToken& token) {
      return token.kind == TokenKind::directive &&
             (token.text.find(word) != std::string::npos || token.text.find("##") != std::string::npos);
    });
  }

  // Components of the member at a token that are set there, as bits.
  unsigned componentsSet(size_t member) const {
    constexpr std::array<std::string_view, 3> letters = {"rgba", "xyzw", "stpq"};
    if (!tokens_[member + 1].is(".")) {
      return ~0U;
    }
    unsigned bits = 0;
    for (const char letter : tokens_[member + 2].text) {
      for (const std::string_view names : letters) {
        const size_t at = names.find(letter);
        bits |= at == std::string_view::npos ? 0U : 1U << at;
      }
    }
    return bits;
  }

  void outputs(const FunctionOutline& function, const std::string& name) {
    std::map<std::string, unsigned> given;  // bits of components
    bool all = false;
    uses(function, name, [&](size_t token, Use use) {
      const bool isMember = tokens_[token + 1].is(".");
      all = all || (!isMember && use != Use::read);
      if (isMember && use != Use::read) {
        given[tokens_[token + 2].text] |= componentsSet(token + 2);
      }
    });
    for (const std::string& output : rules_.outputs) {
      const bool need = std::find(rules_.unset.begin(), rules_.unset.end(), output) == rules_.unset.end();
      if (all || !need || isInMacro(output)) {
        continue;
      }
      if (given.count(output) == 0) {
        add(function.nameToken,
            fmt::format("'{}' never sets the output '{}.{}'", function.name, name, output));
      } else {
        components(function, name + "." + output, output, given[output]);
      }
    }
  }

  void components(const FunctionOutline& function, const std::string& shown, const std::string& output,
                  unsigned given) {
    const auto count = rules_.components.find(output);
    std::string lacking;
    for (int i = 0; count != rules_.components.end() && i < count->second; ++i) {
      lacking += (given >> i & 1U) != 0 ? "" : std::string(1, "rgba"[i]);
    }
    if (!lacking.empty()) {
      add(function.nameToken, fmt::format("'{}' never sets '{}.{}'", function.name, shown, lacking),
          fmt::format("all components at once: {} = vec{}(...)", shown, count->second));
    }
  }

  void stores() {
    const FunctionOutline* run = outline_.function("run");
    for (const std::string& output : rules_.outputs) {
      const auto isStored = [&](const std::string& word) {
        return isInMacro(word) || std::any_of(tokens_.begin(), tokens_.end(),
                                              [&](const PlacedToken& token) { return token.is(word); });
      };
      if (run != nullptr && std::none_of(storeWords.begin(), storeWords.end(),
                                         [&](const char* word) { return isStored(word + output); })) {
        add(run->nameToken, fmt::format("'run' never stores the output '{}'", output),
            rules_.planes.count(output) > 0
                ? fmt::format("at_{}(plane, i) = value, of pixel i = y * width + x", output)
                : fmt::format(
                      "of images by store_{0}(position, value), of arrays by array_{0}.data[i] = value",
                      output));
      }
    }
  }

  // Variables that are declared without a value and never get one.
  void variables(const FunctionOutline& function) {
    for (size_t i = function.open + 1; i + 2 < function.close; ++i) {
      const bool starts = tokens_[i - 1].is(";") || tokens_[i - 1].is("{") || tokens_[i - 1].is("}");
      const bool isType =
          std::find(glslTypes().begin(), glslTypes().end(), tokens_[i].text) != glslTypes().end() ||
          outline_.structNamed(tokens_[i].text) != nullptr || tokens_[i].is("Value") ||
          tokens_[i].is("State");
      if (starts && isType && tokens_[i + 1].isWord() && tokens_[i + 2].is(";")) {
        variable(function, i + 1);
      }
    }
  }

  void variable(const FunctionOutline& function, size_t declared) {
    bool isSet = isInMacro(tokens_[declared].text);
    size_t firstRead = 0;
    uses(function, tokens_[declared].text, [&](size_t token, Use use) {
      if (token == declared) {
        return;
      }
      const PlacedToken& before = tokens_[token - 1];
      const bool isDeclared = before.isWord() && !before.is("return") && !before.is("else");
      isSet = isSet || use == Use::set || use == Use::passed || isDeclared;
      firstRead = firstRead == 0 ? token : firstRead;
    });
    if (!isSet && firstRead > 0) {
      add(firstRead, fmt::format("'{}' is read, but never set", tokens_[firstRead].text),
          "give it a value where it is declared");
    }
  }

  const BodyRules& rules_;
  const Outline& outline_;
  const PlacedTokens& tokens_;
  BodyMistakes& mistakes_;
};

}  // namespace

void checkValues(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes) {
  ValueCheck(rules, outline, mistakes).check();
}

}  // namespace lacuna
