#pragma once
// Names that a body may use at a place, for suggestions.

#include "graph/shader/compiler_log.h"

namespace lacuna {

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
