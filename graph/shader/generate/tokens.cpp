#include "graph/shader/generate/tokens.h"

#include <cctype>

namespace lacuna {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isDecimal(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool isWhiteSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

size_t commentEnd(std::string_view s, size_t i) {
  if (s.substr(i, 2) == "//") {
    const size_t end = s.find('\n', i);
    return end == std::string_view::npos ? s.size() : end;
  }
  if (s.substr(i, 2) == "/*") {
    const size_t end = s.find("*/", i + 2);
    return end == std::string_view::npos ? s.size() : end + 2;
  }
  return i;
}

size_t numberEnd(std::string_view s, size_t i) {
  while (i < s.size() && (isWord(s[i]) || s[i] == '.' ||
                          ((s[i] == '+' || s[i] == '-') && (s[i - 1] == 'e' || s[i - 1] == 'E'))))
    ++i;
  return i;
}

size_t directiveEnd(std::string_view s, size_t i) {
  while (i < s.size() && s[i] != '\n') {
    if (s[i] == '\\' && i + 1 < s.size() && s[i + 1] == '\n')
      ++i;
    ++i;
  }
  return i;
}

}  // namespace

std::vector<Token> tokenize(std::string_view s) {
  std::vector<Token> tokens;
  bool lineStart = true;
  for (size_t i = 0; i < s.size();) {
    size_t end = commentEnd(s, i);
    TokenKind kind = TokenKind::space;
    if (end > i) {
      // a comment counts as space
    } else if (isWhiteSpace(s[i])) {
      end = i + 1;
      lineStart = lineStart || s[i] == '\n';
    } else if (s[i] == '#' && lineStart) {
      kind = TokenKind::directive;
      end = directiveEnd(s, i);
    } else if (isDecimal(s[i]) || (s[i] == '.' && i + 1 < s.size() && isDecimal(s[i + 1]))) {
      kind = TokenKind::number;
      end = numberEnd(s, i);
    } else if (isWord(s[i])) {
      kind = TokenKind::identifier;
      for (end = i; end < s.size() && isWord(s[end]);)
        ++end;
    } else {
      kind = TokenKind::symbol;
      end = i + 1;
    }
    if (kind != TokenKind::space)
      lineStart = false;
    tokens.push_back({kind, std::string(s.substr(i, end - i))});
    i = end;
  }
  return tokens;
}

std::vector<std::string> directiveWords(std::string_view directive) {
  std::vector<std::string> words;
  for (const Token& token : tokenize(directive.substr(1)))
    if (token.kind == TokenKind::identifier || token.kind == TokenKind::number)
      words.push_back(token.text);
  return words;
}

}  // namespace lacuna
