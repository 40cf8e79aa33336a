#pragma once
// suggest() for names of instances.

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/diagnostics.h"

namespace lacuna {

// `names`: "i-memory:in". The word may be one of a name's parts alone, "in".
inline std::string suggestInstance(std::string_view word, const std::vector<std::string>& names) {
  const auto isPart = [&](const std::string& name) {
    const size_t colon = name.find(':');
    return word == name.substr(0, colon) || word == name.substr(colon + 1);
  };
  if (std::ranges::count_if(names, isPart) == 1) {
    return fmt::format("did you mean '{}'?", *std::ranges::find_if(names, isPart));
  }
  return suggest(word, names, "it has");
}

}  // namespace lacuna
