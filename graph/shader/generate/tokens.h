#pragma once
// GLSL cut into tokens, white space and comments included, so that joining them gives the text back.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class TokenKind { identifier, number, symbol, space, directive };

struct Token {
  TokenKind kind;
  std::string text;  // a directive is a whole line (continued lines too), without its newline
};

std::vector<Token> tokenize(std::string_view glsl);

// Index of the bracket that closes the one at `open`; the end's if none does. Brackets of all kinds count.
// Tokens may be of any type.
template <class Tokens>
size_t closingBracket(const Tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    depth += text == "(" || text == "[" || text == "{" ? 1 : 0;
    depth -= text == ")" || text == "]" || text == "}" ? 1 : 0;
    if (depth == 0)
      return i;
  }
  return tokens.size();
}
// The index after it.
template <class Tokens>
size_t afterBracket(const Tokens& tokens, size_t open) {
  return std::min(closingBracket(tokens, open) + 1, tokens.size());
}

// Splits the words of a directive: "#define A 1" -> {"define", "A", "1"}.
std::vector<std::string> directiveWords(std::string_view directive);

// Words of GLSL 4.5 for compute shaders: for suggestions, and for names that bodies must not take.
const std::vector<std::string>& builtInFunctions();
const std::vector<std::string>& glslTypes();
const std::vector<std::string>& glslKeywords();  // and the gl_ names of kernels

}  // namespace lacuna
