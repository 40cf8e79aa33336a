#pragma once
// Regular expressions: POSIX's extended ones with GNU's \w, \b and \1. std::regex takes compilers three
// seconds for each source that includes it.

#include <regex.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/lists.h"

namespace lacuna {

struct RegexMatch {
  size_t begin = 0, end = 0;        // bytes of the text
  std::vector<std::string> groups;  // first the whole match; empty where a group matched nothing
};

// Works on bytes, whatever the locale is. `.` and [^...] also match the end of a line; ^ and $ are the ends
// of the text.
class Regex : NoCopy {
 public:
  explicit Regex(const std::string& pattern);  // throws std::logic_error for a wrong pattern
  ~Regex();

  std::optional<RegexMatch> find(std::string_view text, size_t from = 0) const;
  std::vector<RegexMatch> findAll(std::string_view text) const;
  // Replaces all matches; $0 stands for a match, $1 to $9 for its groups.
  std::string replace(std::string_view text, std::string_view by) const;

 private:
  regex_t compiled_;
};

}  // namespace lacuna
