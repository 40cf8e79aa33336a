#pragma once
// GLSL cut into tokens, white space and comments included, so that joining them gives the text back.

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

// Splits the words of a directive: "#define A 1" -> {"define", "A", "1"}.
std::vector<std::string> directiveWords(std::string_view directive);

}  // namespace lacuna
