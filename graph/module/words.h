#pragma once
// The words of module.toml for the values of enumerations, in the order in which messages list them.

#include <string>

#include "graph/config/word_list.h"
#include "graph/module/description.h"

namespace lacuna {

const WordList<Direction>& directionWords();
const WordList<ParameterType>& parameterTypeWords();
const WordList<NodeKind>& nodeKindWords();
const WordList<Support>& supportWords();
const WordList<BorderRule>& borderWords();
const WordList<MosaicPattern>& patternWords();  // those that a choice may have
const WordList<VariantDevice>& deviceWords();
const std::vector<std::string>& tapTypeWords();
const std::vector<std::string>& reduceTypeWords();

// Values of a description as words, for people.
std::string textOf(const ParameterValue& value);        // strings in quotes
std::string textOf(const Footprint& footprint);         // as in module.toml: "halo(2)"
std::string textOf(const OrParameter<int64_t>& count);  // "5", or the parameter's name
std::string textOf(const WarmUpDescription& warmUp);    // "12", "all", "8 * history"

// "OpenEXR: linear depth", of a connector or a parameter.
template <typename Described>
std::string documentation(const Described& described) {
  return described.scope.empty() ? described.doc : described.scope + ": " + described.doc;
}
// Parameters that graphs can set.
std::vector<ParameterDescription> shownParameters(const ModuleDescription& module);

}  // namespace lacuna
