#include "graph/shader/generate/body_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna {
namespace {

bool isConditional(const PlacedToken& token) {
  return token.kind == TokenKind::directive && directiveWords(token.text).size() > 1 &&
         directiveWords(token.text)[0].compare(0, 2, "if") == 0;
}

char closing(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

// After `struct A { ... }` without ';' the next function's type reads as a variable.
BodyMistakes openStructs(const Outline& outline) {
  for (const StructOutline& each : outline.structs) {
    const size_t next = each.close + 1;
    if (each.close > 0 && next + 1 < outline.tokens.size() && outline.tokens[next].isWord() &&
        outline.tokens[next + 1].isWord()) {
      return {mistakeAt(outline.tokens[each.close],
                        fmt::format("expected ';' behind the struct '{}'", each.name))};
    }
  }
  return {};
}

BodyMistakes bracketMistakes(const Outline& outline) {
  const std::vector<PlacedToken>& tokens = outline.tokens;
  if (std::any_of(tokens.begin(), tokens.end(), isConditional))
    return openStructs(outline);
  std::vector<const PlacedToken*> open;
  for (const PlacedToken& token : tokens) {
    const char c = token.kind == TokenKind::symbol ? token.text[0] : '\0';
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(&token);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty())
        return {mistakeAt(token, fmt::format("this '{}' closes nothing", c))};
      if (const PlacedToken& last = *open.back(); closing(last.text[0]) != c) {
        return {mistakeAt(last, fmt::format("this '{}' is still open where '{}' closes at {}:{}", last.text,
                                            c, token.file, token.line))};
      }
      open.pop_back();
    }
  }
  if (open.empty())
    return openStructs(outline);
  return {mistakeAt(*open.back(), fmt::format("this '{}' is never closed", open.back()->text))};
}

BodyMistakes formMistakes(const Outline& outline) {
  BodyMistakes mistakes = bracketMistakes(outline);
  mistakes = mistakes.empty() ? growthMistakes(outline) : mistakes;
  for (BodyMistake& each : mistakes)
    each.hides = true;
  return mistakes;
}

}  // namespace

BodyMistake mistakeAt(const PlacedToken& token, std::string message, std::string hint) {
  return {std::string(token.file),
          token.line,
          token.column,
          static_cast<int>(std::min(token.text.size(), token.text.find('\n'))),
          std::move(message),
          std::move(hint),
          0,
          false};
}

BodyMistakes checkForm(std::span<const Token> tokens) {
  return formMistakes(outlineOf(tokens));
}

BodyMistakes checkBody(const BodyRules& rules, std::span<const Token> tokens, const std::string& path) {
  const Outline outline = outlineOf(tokens);
  BodyMistakes mistakes = formMistakes(outline);
  if (mistakes.empty()) {
    checkEntryPoints(rules, outline, path, mistakes);
    checkForbidden(rules, outline, mistakes);
  }
  return mistakes;
}

}  // namespace lacuna
