#pragma once
// The words of module.toml for the values of enumerations, in the order in which messages list them.

#include "graph/config/word_list.h"
#include "graph/module/description.h"

namespace lacuna {

const WordList<Direction>& directionWords();
const WordList<ParameterType>& parameterTypeWords();
const WordList<NodeKind>& nodeKindWords();
const WordList<Support>& supportWords();
const WordList<BorderRule>& borderWords();
const std::vector<std::string>& patternWords();  // those of mosaics that a choice may have
const std::vector<std::string>& tapTypeWords();
const std::vector<std::string>& reduceTypeWords();

}  // namespace lacuna
