#include "graph/module/toml_text.h"

namespace lacuna {
namespace {

// Steps over a string that starts at `at`; at an unclosed one, over all of its line or (multi-line) text.
size_t skipString(std::string_view toml, size_t at) {
  const char quote = toml[at];
  const bool escapes = quote == '"';
  const std::string_view opening = toml.substr(at, 3);
  const bool multiLine = opening.size() == 3 && opening[1] == quote && opening[2] == quote;
  at += multiLine ? 3 : 1;
  while (at < toml.size()) {
    if (escapes && toml[at] == '\\') {
      at += 2;
    } else if (toml[at] == quote && (!multiLine || toml.substr(at, 3) == opening)) {
      return at + (multiLine ? 3 : 1);
    } else if (toml[at] == '\n' && !multiLine) {
      return at;
    } else {
      ++at;
    }
  }
  return toml.size();
}

}  // namespace

std::optional<size_t> firstBareNonAscii(std::string_view toml) {
  size_t at = 0;
  while (at < toml.size()) {
    const char c = toml[at];
    if (c == '"' || c == '\'') {
      at = skipString(toml, at);
    } else if (c == '#') {
      const size_t end = toml.find('\n', at);
      at = end == std::string_view::npos ? toml.size() : end;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return at;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace lacuna
