#pragma once
// "1.5GB".

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "graph/config/text.h"

namespace lacuna {

// Bytes: a number with B, K, M, G or T, with or without B or iB behind, all by 1024. nullopt for other text,
// less than a byte, 2^63 or more.
inline std::optional<uint64_t> parseBytes(const std::string& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parseNumber(text.substr(0, end));
  const std::string unit = lowerCase(text.substr(std::min(text.find_first_not_of(' ', end), text.size())));
  const bool isPlain = unit.empty() || unit == "b";
  const size_t letter = isPlain ? 0 : std::string_view("kmgt").find(unit.front());
  const std::string rest = isPlain ? "" : unit.substr(1);
  if (!number || letter == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib"))
    return std::nullopt;
  const double bytes = std::ldexp(*number, isPlain ? 0 : static_cast<int>(10 * (letter + 1)));
  return bytes >= 1.0 && bytes < 0x1p63 ? std::optional(static_cast<uint64_t>(bytes)) : std::nullopt;
}

}  // namespace lacuna
