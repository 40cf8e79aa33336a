#pragma once
// The words for the values of an enumeration, in files and messages.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

// If a value has several words, the first one is printed.
template <typename Enum>
using WordList = std::vector<std::pair<std::string, Enum>>;

template <typename Enum>
std::optional<Enum> findWord(const WordList<Enum>& words, std::string_view word) {
  for (const auto& [name, value] : words)
    if (name == word)
      return value;
  return std::nullopt;
}

template <typename Enum>
const std::string& wordOf(const WordList<Enum>& words, Enum value) {
  for (const auto& [name, each] : words)
    if (each == value)
      return name;
  static const std::string none = "?";
  return none;
}

template <typename Enum>
std::vector<std::string> namesOf(const WordList<Enum>& words) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words)
    names.push_back(name);
  return names;
}

}  // namespace lacuna
