#include "graph/config/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/config/text.h"

namespace lacuna {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view otherComments[] = {"//", "/*", ";", "--", "%"};  // of other languages

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

class LineLexer {
 public:
  LineLexer(std::string_view line, Location where, Diagnostics& diagnostics, Between between)
      : line_(line), where_(where), diagnostics_(diagnostics), bySpaces_(between == Between::spaces) {}

  LexedLine lex() {
    if (where_.line == 1)
      first_ = at_ = line_.size() - afterByteOrderMark(line_).size();
    skipSpace();
    LexedLine result;
    if (atEnd()) {
      result.comment = comment();
      return result;
    }
    while (true) {
      skipSpace();
      std::optional<Word> word = atChar('"') ? quotedWord() : bareWord();
      if (!word) {
        result.wrong = true;
        return result;
      }
      result.words.push_back(std::move(*word));
      const bool apart = at_ < line_.size() && isSpace(line_[at_]);
      skipSpace();
      if (atEnd()) {
        result.comment = comment();
        return result;
      }
      if (bySpaces_ ? !apart : !atChar(':')) {
        fail(at_, 1, fmt::format("expected {} after a quoted string", bySpaces_ ? "a space" : "':'"));
        result.wrong = true;
        return result;
      }
      at_ += bySpaces_ ? 0 : 1;
    }
  }

 private:
  std::string comment() const {
    std::string_view rest = line_.substr(std::min(at_, line_.size()));
    while (!rest.empty() && isSpace(rest.back()))
      rest.remove_suffix(1);
    return std::string(rest);
  }
  bool atChar(char c) const { return at_ < line_.size() && line_[at_] == c; }
  bool atComment() const { return atChar('#') && (at_ == first_ || isSpace(line_[at_ - 1])); }
  bool atEnd() const { return at_ >= line_.size() || atComment(); }
  void skipSpace() {
    while (at_ < line_.size() && isSpace(line_[at_]))
      ++at_;
  }

  Location location(size_t from, size_t length) const {
    return {where_.file, where_.line, static_cast<int>(from) + 1, static_cast<int>(length)};
  }
  void fail(size_t from, size_t length, std::string message, std::string hint = {}) {
    diagnostics_.error(location(from, length), std::move(message), std::move(hint));
  }

  bool atSeparator() const { return bySpaces_ ? isSpace(line_[at_]) : atChar(':'); }

  // Up to the next separator, comment or end; between colons, spaces around it are not part of it, inside
  // they are an error.
  std::optional<Word> bareWord() {
    const size_t first = at_;
    while (!atEnd() && !atSeparator() && !atChar('"'))
      ++at_;
    if (atChar('"')) {
      fail(at_, 1, "a quote inside a word", "quote the whole word, and write \\\" for a quote in it");
      return std::nullopt;
    }
    size_t last = at_;
    while (last > first && isSpace(line_[last - 1]))
      --last;
    const std::string_view text = line_.substr(first, last - first);
    if (text.find_first_of(" \t\r") != std::string_view::npos) {
      const std::string hint = commentHint(text);
      const bool begins = line_.find_first_not_of(" \t") == first;
      fail(first, text.size(), "a word with spaces must be quoted",
           !hint.empty() ? hint
           : begins      ? "words are separated by ':': " + withColons(text)
                         : fmt::format("write {}", quote(text)));
      return std::nullopt;
    }
    return Word{std::string(text), location(first, text.size()), false};
  }

  std::optional<Word> quotedWord() {
    const size_t first = at_;
    std::string text;
    bool valid = true;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      if (line_[at_] != '\\' || at_ + 1 == line_.size()) {
        text += line_[at_];
        continue;
      }
      ++at_;
      if (line_[at_] != '"' && line_[at_] != '\\') {
        fail(at_ - 1, 2, "an unknown escape in a quoted string", "only \\\" and \\\\ exist");
        valid = false;
      }
      text += line_[at_];
    }
    if (at_ >= line_.size()) {
      fail(first, line_.size() - first, "a quoted string without its closing quote");
      return std::nullopt;
    }
    ++at_;
    if (!valid)
      return std::nullopt;
    return Word{std::move(text), location(first, at_ - first), true};
  }

  std::string_view line_;
  Location where_;
  Diagnostics& diagnostics_;
  bool bySpaces_;
  size_t first_ = 0;  // after a byte order mark
  size_t at_ = 0;
};

}  // namespace

std::string_view afterByteOrderMark(std::string_view line) {
  return line.substr(line.starts_with(byteOrderMark) ? byteOrderMark.size() : 0);
}

std::string commentHint(std::string_view word) {
  const bool isOther =
      std::any_of(std::begin(otherComments), std::end(otherComments), [&](std::string_view sign) {
        return word.starts_with(sign) || word.find(" " + std::string(sign)) != std::string_view::npos;
      });
  return isOther ? "comments begin with '#'" : "";
}

std::string withColons(std::string_view list) {
  std::string text;
  for (const char c : list)
    if (std::string_view(",; ()[]{}\t").find(c) == std::string_view::npos)
      text += c;
    else if (!text.empty() && text.back() != ':')
      text += ':';
  return text.substr(0, text.find_last_not_of(':') + 1);
}

std::vector<Word> splitWords(const std::string& text, const Location& where) {
  std::vector<Word> words = {{{}, where}};
  for (const char c : text)
    if (c == ':')
      words.push_back({{}, where});
    else
      words.back().text += c;
  return words;
}

std::vector<Word> lexValues(const std::string& text, const Location& where, Diagnostics& diagnostics) {
  if (text.find('"') == std::string::npos)
    return splitWords(text, where);
  LexedLine lexed = lexLine(text, where, diagnostics);
  if (!lexed.wrong && !lexed.comment.empty()) {
    diagnostics.error(where, fmt::format("expected nothing more at '{}'", lexed.comment));
    lexed.wrong = true;
  }
  for (Word& word : lexed.words)
    word.where = where;
  return lexed.wrong ? std::vector<Word>() : lexed.words;
}

std::pair<std::string, std::string> splitAtEquals(const std::string& word) {
  const size_t at = word.find('=');
  return at == std::string::npos ? std::pair(word, std::string())
                                 : std::pair(word.substr(0, at), word.substr(at + 1));
}

LexedLine lexLine(std::string_view line, Location where, Diagnostics& diagnostics, Between words) {
  return LineLexer(line, where, diagnostics, words).lex();
}

bool isText(std::string_view line, Location where, Diagnostics& diagnostics) {
  const auto bad = firstByteNotText(line);
  if (bad) {
    diagnostics.error({where.file, where.line, static_cast<int>(*bad) + 1, 1},
                      fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(line[*bad])));
  }
  return !bad;
}

}  // namespace lacuna
