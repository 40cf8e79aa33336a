#pragma once
// The words of module.toml for the values of enumerations, in the order in which messages list them.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/module/description.h"

namespace lacuna {

template <typename Enum>
using WordList = std::vector<std::pair<std::string, Enum>>;

const WordList<Direction>& directionWords();
const WordList<ParameterType>& parameterTypeWords();
const WordList<NodeKind>& nodeKindWords();
const WordList<Support>& supportWords();
const WordList<Channels>& channelWords();
const WordList<Format>& formatWords();
const WordList<ColourTag>& colourWords();
const std::vector<std::string>& tapTypeWords();
const std::vector<std::string>& reduceTypeWords();

template <typename Enum>
std::optional<Enum> findWord(const WordList<Enum>& words, std::string_view word) {
  for (const auto& [name, value] : words) {
    if (name == word) {
      return value;
    }
  }
  return std::nullopt;
}

template <typename Enum>
std::string wordOf(const WordList<Enum>& words, Enum value) {
  for (const auto& [name, each] : words) {
    if (each == value) {
      return name;
    }
  }
  return "?";
}

template <typename Enum>
std::vector<std::string> namesOf(const WordList<Enum>& words) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words) {
    names.push_back(name);
  }
  return names;
}

}  // namespace lacuna
