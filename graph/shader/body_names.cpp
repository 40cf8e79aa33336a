#include "graph/shader/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {
BodyNames::BodyNames(const CompiledBody& body) : body_(body) {
  for (const auto* words : {&builtInFunctions(), &glslTypes(), &glslKeywords()})
    known_.insert(known_.end(), words->begin(), words->end());
  const Outline& outline = body.outline;
  // What the shader around the body declares for it: load_input, has_mask.
  for (const ShaderFunction& each : body.shader.functions())
    known_.push_back(plainWords(each.name()));
  for (const glslang::TIntermSymbol* each : body.shader.variables())
    known_.push_back(plainWords(each->getName().c_str()));
  known_.insert(known_.end(), {"param", "frame"});
  known_.insert(known_.end(), body.rules.types.begin(), body.rules.types.end());
  const std::set<std::string> own = outline.names();
  known_.insert(known_.end(), own.begin(), own.end());
}

bool BodyNames::isUnknown(const std::string& word) const {
  return !contains(known_, word);
}

bool BodyNames::isType(const std::string& word) const {
  return contains(types(), word);
}

std::vector<std::string> BodyNames::types() const {
  std::vector<std::string> all = glslTypes();
  all.insert(all.end(), body_.rules.types.begin(), body_.rules.types.end());
  for (const auto& [name, type] : body_.rules.stand)
    all.push_back(name);
  for (const StructOutline& each : body_.outline.structs)
    all.push_back(each.name);
  return all;
}

std::string BodyNames::nearName(const std::string& word, const BodyMistake& place) const {
  if (contains(body_.rules.parameters, word))
    return fmt::format("parameters are members of `param`: param.{}", word);
  std::vector<std::string> candidates = known_;
  if (const ShaderFunction* function = body_.shader.functionAt(place.file, place.line)) {
    for (const glslang::TIntermSymbol* each : function->parameters) {
      candidates.push_back(plainWords(each->getName().c_str()));
      if (contains(membersOf(each->getType()), word)) {
        return fmt::format("it is a member of {}: {}.{}", plainWords(structName(each->getType())),
                           candidates.back(), word);
      }
    }
    for (const VariableUse& use : function->uses)
      if (use.variable->getLoc().line <= place.line)
        candidates.push_back(plainWords(use.variable->getName().c_str()));
  }
  return didYouMean(word, candidates);
}

// read_input, get_input: only load_ and store_ have a connector's name behind them.
std::string BodyNames::nearFunction(const std::string& word, const BodyMistake& place) const {
  const std::string connector = word.substr(std::min(word.find('_'), word.size()));
  for (const char* verb : {"load", "store"})
    if (!connector.empty() && contains(known_, verb + connector))
      return fmt::format("did you mean '{}{}'?", verb, connector);
  return nearName(word, place);
}

std::string BodyNames::nearType(const std::string& word) const {
  return didYouMean(word, types());
}

std::string BodyNames::nearMember(const std::string& word, const std::vector<std::string>& members) const {
  const std::string near = didYouMean(word, members);
  return !near.empty() || members.empty() ? near : "known are " + joinNames(members);
}

const glslang::TType* BodyNames::typeOf(const std::string& variable, const BodyMistake& place) const {
  std::vector<const glslang::TIntermSymbol*> seen = body_.shader.variables();
  if (const ShaderFunction* function = body_.shader.functionAt(place.file, place.line)) {
    seen.insert(seen.begin(), function->parameters.begin(), function->parameters.end());
    std::ranges::transform(function->uses, std::inserter(seen, seen.begin()), &VariableUse::variable);
  }
  const auto found = std::ranges::find_if(seen, [&](const glslang::TIntermSymbol* each) {
    return each->getType().isStruct() && plainWords(each->getName().c_str()) == variable;
  });
  return found == seen.end() ? nullptr : &(*found)->getType();
}

size_t BodyNames::misspeltType(const std::string& file, int line) const {
  const std::vector<PlacedToken>& tokens = body_.outline.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool here = tokens[i].line == line && tokens[i].file == file && tokens[i].isWord();
    if (here && tokens[i + 1].isWord() && isUnknown(tokens[i].text) && !isType(tokens[i].text) &&
        !nearType(tokens[i].text).empty())
      return i;
  }
  return tokens.size();
}

}  // namespace lacuna
