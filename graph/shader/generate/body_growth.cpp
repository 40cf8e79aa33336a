#include "graph/shader/generate/body_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace lacuna {
namespace {

// Tokens of a text: its own, and the number of times that it holds each of a macro's arguments.
struct Size {
  double own = 0.0, arguments = 0.0;

  Size operator+(const Size& other) const { return {own + other.own, arguments + other.arguments}; }
  Size operator*(double factor) const { return {own * factor, arguments * factor}; }
};

struct Macro {
  std::vector<std::string> parameters;
  std::vector<Token> text;
};

std::vector<Token> withoutSpace(std::vector<Token> tokens) {
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::space; });
  return tokens;
}

// "define NAME text" or "define NAME(a, b) text".
std::optional<std::pair<std::string, Macro>> macroOf(std::string_view directive) {
  const size_t name = directive.find("define");
  if (name == std::string_view::npos || directive.find_first_not_of("# \t") != name)
    return std::nullopt;
  const std::vector<Token> spaced = tokenize(directive.substr(name));
  const std::vector<Token> tokens = withoutSpace(spaced);
  if (tokens.size() < 2)
    return std::nullopt;
  // A parenthesis after a space belongs to the macro's text.
  const bool hasParameters = spaced.size() > 3 && spaced[3].text == "(";
  Macro macro;
  size_t at = 2;
  for (; hasParameters && at < tokens.size() && tokens[at].text != ")"; ++at)
    if (tokens[at].kind == TokenKind::identifier)
      macro.parameters.push_back(tokens[at].text);
  at += hasParameters && at < tokens.size() ? 1 : 0;
  macro.text.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
  return std::pair(tokens[1].text, std::move(macro));
}

class Growth {
 public:
  explicit Growth(const Outline& outline) : outline_(outline) {
    for (const PlacedToken& token : outline.tokens)
      if (auto macro = token.kind == TokenKind::directive ? macroOf(token.text) : std::nullopt)
        macros_[macro->first].push_back(std::move(macro->second));
    for (const FunctionOutline& each : outline.functions)
      functions_[each.name].push_back(&each);
  }

  double of(const FunctionOutline& function) {
    return sizeOf(outline_.tokens, function.open, function.close, {}).own;
  }

 private:
  // A name may belong to several macros (in branches of #if) or functions: the largest counts.
  Size named(const std::string& name) {
    // A macro isn't expanded within itself.
    const auto [known, isFresh] = known_.emplace(name, Size{1.0, 0.0});
    if (!isFresh)
      return known->second;
    Size largest{1.0, 0.0};
    const auto consider = [&](const Size& size) {
      largest = {std::max(largest.own, size.own), std::max(largest.arguments, size.arguments)};
    };
    for (const Macro& macro : macros_[name])
      consider(sizeOf(macro.text, 0, macro.text.size(), macro.parameters));
    for (const FunctionOutline* function : functions_[name])
      consider({of(*function), 1.0});
    return known_[name] = largest;
  }

  template <class AnyToken>
  Size sizeOf(const std::vector<AnyToken>& tokens, size_t first, size_t end,
              const std::vector<std::string>& parameters) {
    Size size;
    for (size_t i = first; i < end; ++i) {
      const AnyToken& token = tokens[i];
      if (token.kind != TokenKind::identifier) {
        size.own += 1.0;
        continue;
      }
      if (std::find(parameters.begin(), parameters.end(), token.text) != parameters.end()) {
        size.arguments += 1.0;
        continue;
      }
      const Size word = named(token.text);
      size.own += word.own;
      // Otherwise the arguments follow like any tokens.
      if (word.arguments > 0.0 && i + 1 < end && tokens[i + 1].text == "(") {
        const size_t close = std::min(closingBracket(tokens, i + 1), end);
        size = size + sizeOf(tokens, i + 2, close, parameters) * word.arguments;
        i = close;
      }
    }
    return size;
  }

  const Outline& outline_;
  std::map<std::string, std::vector<Macro>> macros_;
  std::map<std::string, std::vector<const FunctionOutline*>> functions_;
  std::map<std::string, Size> known_;
};

}  // namespace

BodyMistakes growthMistakes(const Outline& outline) {
  Growth growth(outline);
  for (const FunctionOutline& each : outline.functions) {
    const double size = growth.of(each);
    if (size > mostTokens) {
      return {mistakeAt(
          outline.tokens[each.nameToken],
          fmt::format("'{}' grows to {:.2g} tokens where all macros and functions in it are expanded",
                      each.name, size),
          fmt::format("at most {:.0f} are allowed: no compiler would finish", mostTokens))};
    }
  }
  return {};
}

}  // namespace lacuna
