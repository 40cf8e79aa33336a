#include "graph/config/regex.h"

#include <fmt/format.h>
#include <locale.h>

#include <algorithm>
#include <stdexcept>

namespace lacuna {

Regex::Regex(const std::string& pattern) {
  // The locale of a program that embeds Lacuna must not change which bytes are letters.
  const locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", nullptr));
  const int wrong = regcomp(&compiled_, pattern.c_str(), REG_EXTENDED);
  freelocale(uselocale(before));
  if (wrong != 0)
    throw std::logic_error(fmt::format("'{}' is not a regular expression", pattern));
}

Regex::~Regex() {
  regfree(&compiled_);
}

std::optional<RegexMatch> Regex::find(std::string_view text, size_t from) const {
  std::vector<regmatch_t> places(1 + compiled_.re_nsub);
  places[0] = {static_cast<regoff_t>(from), static_cast<regoff_t>(text.size())};
  if (regexec(&compiled_, text.data(), places.size(), places.data(), REG_STARTEND) != 0)
    return std::nullopt;
  RegexMatch match{static_cast<size_t>(places[0].rm_so), static_cast<size_t>(places[0].rm_eo), {}};
  for (const regmatch_t& place : places) {
    match.groups.emplace_back(place.rm_so < 0 ? ""
                                              : text.substr(static_cast<size_t>(place.rm_so),
                                                            static_cast<size_t>(place.rm_eo - place.rm_so)));
  }
  return match;
}

std::vector<RegexMatch> Regex::findAll(std::string_view text) const {
  std::vector<RegexMatch> matches;
  size_t from = 0;
  while (from <= text.size()) {
    auto match = find(text, from);
    if (!match)
      break;
    from = std::max(match->end, match->begin + 1);
    matches.push_back(std::move(*match));
  }
  return matches;
}

std::string Regex::replace(std::string_view text, std::string_view by) const {
  std::string out;
  size_t from = 0;
  for (const RegexMatch& match : findAll(text)) {
    out += text.substr(from, match.begin - from);
    for (size_t i = 0; i < by.size(); ++i)
      if (by[i] == '$')
        out += match.groups.at(static_cast<size_t>(by[++i] - '0'));
      else
        out += by[i];
    from = match.end;
  }
  return out.append(text.substr(from));
}

}  // namespace lacuna
