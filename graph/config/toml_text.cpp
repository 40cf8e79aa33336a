#include "graph/config/toml_reader.h"

#include <algorithm>

#include "graph/config/text.h"

namespace lacuna {
namespace {

class TomlScanner {
 public:
  explicit TomlScanner(std::string_view toml) : toml_(toml) {}

  std::optional<TomlTextError> scan() {
    while (at_ < toml_.size()) {
      const char c = toml_[at_];
      if (c == '[' && atLineStart_ && open_.empty()) {
        if (!stepOverHeader())
          return TomlTextError{at_, "a [header] needs a name", "such as [[node]]"};
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        return TomlTextError{at_, "a character outside ASCII", "it must be in quotes or in a comment"};
      } else if (c == '}' && !open_.empty() && open_.back() == '[') {
        return TomlTextError{at_, "a '}' in a list that is not closed", "a ']' is missing before it"};
      } else {
        step();
      }
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char c = toml_[at_];
    if (c == '"' || c == '\'') {
      stepOverString();
    } else if (c == '#') {
      at_ = std::min(toml_.find('\n', at_), toml_.size());
    } else {
      const bool space = c == ' ' || c == '\t' || c == '\r';
      atLineStart_ = c == '\n' || (atLineStart_ && space);
      inHeader_ = inHeader_ && c != '\n';
      if (!inHeader_) {
        if (c == '[' || c == '{')
          open_.push_back(c);
        else if ((c == ']' || c == '}') && !open_.empty())
          open_.pop_back();
      }
      ++at_;
    }
  }

  // Past "[" or "[[" and the space behind it. False if no key follows; toml++ reports an empty header.
  bool stepOverHeader() {
    const size_t start = at_;
    at_ += toml_.substr(at_, 2) == "[[" ? 2 : 1;
    while (at_ < toml_.size() && (toml_[at_] == ' ' || toml_[at_] == '\t'))
      ++at_;
    inHeader_ = true;
    atLineStart_ = false;
    const char next = at_ < toml_.size() ? toml_[at_] : ']';
    if (next == '"' || next == '\'' || next == ']' || isName({&next, 1}))
      return true;
    at_ = start;
    return false;
  }

  // Steps over a string; if it isn't closed, over the rest of its line or, with several lines, of the text.
  void stepOverString() {
    const char quoteMark = toml_[at_];
    const bool escapes = quoteMark == '"';
    const std::string_view opening = toml_.substr(at_, 3);
    const bool multiLine = opening.size() == 3 && opening[1] == quoteMark && opening[2] == quoteMark;
    atLineStart_ = false;
    for (at_ += multiLine ? 3 : 1; at_ < toml_.size(); ++at_) {
      if (escapes && toml_[at_] == '\\') {
        ++at_;
      } else if (toml_[at_] == quoteMark && (!multiLine || toml_.substr(at_, 3) == opening)) {
        at_ += multiLine ? 3 : 1;
        return;
      } else if (toml_[at_] == '\n' && !multiLine) {
        return;
      }
    }
    at_ = toml_.size();
  }

  std::string_view toml_;
  size_t at_ = 0;
  std::string open_;  // brackets of values
  bool atLineStart_ = true;
  bool inHeader_ = false;
};

}  // namespace

std::optional<TomlTextError> findUnsafeToml(std::string_view toml) {
  return TomlScanner(toml).scan();
}

}  // namespace lacuna
