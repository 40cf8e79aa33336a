#pragma once
// What can be said about a body before a compiler sees it: brackets that don't match, functions that its
// node's kind calls and that it lacks. The compiler would show such mistakes in generated text, far from the
// author's.

#include <span>

#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/tokens.h"

namespace lacuna {

// Throws ShaderSourceError with file and line of a bracket without its partner. Bodies with #if are left to
// the compiler: their branches may open and close apart.
void checkBrackets(std::span<const Token> tokens);

// Throws ShaderSourceError that names every function or struct that is missing, with its declaration.
void checkDefinitions(const ShaderContext& context, const NodeDescription& description, const Body& body);

}  // namespace lacuna
