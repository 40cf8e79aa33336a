#pragma once
// The compiler's messages about a generated shader, as mistakes of its body.

#include "graph/shader/generate/body_check.h"

namespace lacuna {

struct CompiledBody {
  const BodyRules& rules;
  const Outline& outline;
  std::set<std::string> given;  // names that the shader around the body declares: load_input, has_mask
};

// At most one mistake a line, the first one there. Messages about generated text are omitted.
BodyMistakes readCompilerLog(const std::string& log, const CompiledBody& body);

// Exposed for tests: "' const float'" -> "float", "n0_gather" -> "gather".
std::string plainWords(std::string text);

// Names that a body may use at a place, for suggestions.
class BodyNames {
 public:
  explicit BodyNames(const CompiledBody& body);

  // Neither the body's, nor generated, nor GLSL's.
  bool isUnknown(const std::string& word) const;
  bool isType(const std::string& word) const;
  // A hint for the word at a token, or "".
  std::string nearName(const std::string& word, size_t token) const;
  std::string nearFunction(const std::string& word, size_t token) const;
  std::string nearType(const std::string& word) const;
  // The nearest candidates, or all of them.
  std::string nearMember(const std::string& word, const std::vector<std::string>& members) const;

  // The type of a variable in its declaration before the token; "" if it is unknown.
  std::string typeOf(const std::string& variable, size_t token) const;
  std::vector<std::string> membersOf(const std::string& type) const;
  // The first word of a line that begins with a misspelled type; the number of tokens if there is none.
  size_t misspeltType(const std::string& file, int line) const;

 private:
  std::vector<std::string> types() const;

  const CompiledBody& body_;
  std::vector<std::string> known_;
};

}  // namespace lacuna
