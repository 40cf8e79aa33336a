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

}  // namespace lacuna
