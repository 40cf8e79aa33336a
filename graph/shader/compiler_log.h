#pragma once
// What the compiler finds in a generated shader, as mistakes of its body: its messages, and what it accepts,
// but bodies may not do.

#include "graph/shader/generate/body_check.h"
#include "graph/shader/parsed_shader.h"

namespace lacuna {

struct CompiledBody {
  const BodyRules& rules;
  const Outline& outline;  // of the author's text; empty: mistakes have no columns
  const ParsedShader& shader;
  std::string prefix;  // of the body's names in the shader: "n0"
};

// Functions that the node's kind calls, declared otherwise than it calls them; those that it never calls.
BodyMistakes headMistakes(const CompiledBody& body);
// Functions that can end without a value, outputs and variables that are never set, inputs that are set.
// Functions with `others` in them are omitted.
BodyMistakes valueMistakes(const CompiledBody& body, const BodyMistakes& others);

// At most one mistake a line, the first one there. Messages about generated text are omitted.
BodyMistakes readCompilerLog(const std::string& log, const CompiledBody& body);

// Exposed for tests: "' const float'" -> "float", "n0_gather" -> "gather".
std::string plainWords(std::string text);

// A word on a line, where it is used rather than declared; else all of the line.
BodyMistake placeOf(const Outline& outline, const std::string& file, int line, const std::string& word);
// Of a struct.
std::vector<std::string> membersOf(const glslang::TType& type);

// Names that a body may use at a place, for suggestions.
class BodyNames {
 public:
  explicit BodyNames(const CompiledBody& body);

  // Neither the body's, nor generated, nor GLSL's.
  bool isUnknown(const std::string& word) const;
  bool isType(const std::string& word) const;
  // A hint for the word at a place, or "".
  std::string nearName(const std::string& word, const BodyMistake& place) const;
  std::string nearFunction(const std::string& word, const BodyMistake& place) const;
  std::string nearType(const std::string& word) const;
  // The nearest candidates, or all of them.
  std::string nearMember(const std::string& word, const std::vector<std::string>& members) const;

  // Of a variable that is a struct; null if it is unknown.
  const glslang::TType* typeOf(const std::string& variable, const BodyMistake& place) const;
  // The first word of a line that begins with a misspelled type; the number of tokens if there is none.
  size_t misspeltType(const std::string& file, int line) const;

 private:
  std::vector<std::string> types() const;

  const CompiledBody& body_;
  std::vector<std::string> known_;
};

}  // namespace lacuna
