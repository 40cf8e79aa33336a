#include "graph/shader/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {
namespace {}  // namespace

BodyNames::BodyNames(const CompiledBody& body) : body_(body) {
  for (const auto* words : {&builtInFunctions(), &glslTypes(), &glslKeywords()}) {
    known_.insert(known_.end(), words->begin(), words->end());
  }
  const Outline& outline = body.outline;
  known_.insert(known_.end(), body.given.begin(), body.given.end());
  known_.insert(known_.end(), outline.macros.begin(), outline.macros.end());
  known_.insert(known_.end(), {"param", "frame"});
  for (const GivenType& type : body.rules.types) {
    known_.push_back(type.name);
  }
  for (const FunctionOutline& function : outline.functions) {
    known_.push_back(function.name);
  }
  for (const StructOutline& each : outline.structs) {
    known_.push_back(each.name);
  }
  for (const VariableOutline& each : outline.variables) {
    known_.push_back(each.name);
  }
}

bool BodyNames::isUnknown(const std::string& word) const {
  return !contains(known_, word);
}

bool BodyNames::isType(const std::string& word) const {
  return contains(types(), word);
}

std::vector<std::string> BodyNames::types() const {
  std::vector<std::string> all = glslTypes();
  for (const GivenType& type : body_.rules.types) {
    all.push_back(type.name);
  }
  for (const auto& [name, type] : body_.rules.stand) {
    all.push_back(name);
  }
  for (const StructOutline& each : body_.outline.structs) {
    all.push_back(each.name);
  }
  return all;
}

std::string BodyNames::nearName(const std::string& word, size_t token) const {
  const FunctionOutline* function = body_.outline.functionAt(token);
  if (contains(body_.rules.parameters, word)) {
    return fmt::format("parameters are members of `param`: param.{}", word);
  }
  std::vector<std::string> candidates = known_;
  if (function != nullptr) {
    for (const FunctionParameter& parameter : function->parameters) {
      candidates.push_back(parameter.name);
      const GivenType* type = body_.rules.type(parameter.type);
      if (type != nullptr && contains(type->members, word)) {
        return fmt::format("it is a member of {}: {}.{}", parameter.type, parameter.name, word);
      }
    }
    for (size_t i = function->open + 1; i < token && i < body_.outline.tokens.size(); ++i) {
      if (body_.outline.tokens[i].isWord() && isType(body_.outline.tokens[i - 1].text)) {
        candidates.push_back(body_.outline.tokens[i].text);
      }
    }
  }
  return didYouMean(word, candidates);
}

// read_input, get_input: only load_ and store_ have a connector's name behind them.
std::string BodyNames::nearFunction(const std::string& word, size_t token) const {
  const std::string connector = word.substr(std::min(word.find('_'), word.size()));
  for (const char* verb : {"load", "store"}) {
    if (!connector.empty() && body_.given.count(verb + connector) > 0) {
      return fmt::format("did you mean '{}{}'?", verb, connector);
    }
  }
  return nearName(word, token);
}

std::string BodyNames::nearType(const std::string& word) const {
  return didYouMean(word, types());
}

std::string BodyNames::nearMember(const std::string& word, const std::vector<std::string>& members) const {
  const std::string near = didYouMean(word, members);
  return !near.empty() || members.empty() ? near : "known are " + joinNames(members);
}

std::string BodyNames::typeOf(const std::string& variable, size_t token) const {
  if (variable == "frame") {
    return "Frame";
  }
  const std::vector<PlacedToken>& tokens = body_.outline.tokens;
  const FunctionOutline* function = body_.outline.functionAt(token);
  for (size_t i = token; function != nullptr && i > function->first; --i) {
    if (tokens[i].is(variable) && isType(tokens[i - 1].text)) {
      return tokens[i - 1].text;
    }
  }
  return {};
}

std::vector<std::string> BodyNames::membersOf(const std::string& type) const {
  if (const GivenType* given = body_.rules.type(type)) {
    return given->members;
  }
  std::vector<std::string> members;
  if (const StructOutline* own = body_.outline.structNamed(type)) {
    for (const auto& [of, name] : own->members) {
      members.push_back(name);
    }
  }
  return members;
}

size_t BodyNames::misspeltType(const std::string& file, int line) const {
  const std::vector<PlacedToken>& tokens = body_.outline.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool here = tokens[i].line == line && tokens[i].file == file && tokens[i].isWord();
    if (here && tokens[i + 1].isWord() && isUnknown(tokens[i].text) && !isType(tokens[i].text) &&
        !nearType(tokens[i].text).empty()) {
      return i;
    }
  }
  return tokens.size();
}

}  // namespace lacuna
