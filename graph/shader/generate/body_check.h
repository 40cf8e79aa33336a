#pragma once
// Checks of a body before a compiler sees it: brackets that don't match, functions that its node's kind calls
// and that it lacks or declares differently, and forbidden parts that a compiler would accept. The compiler
// would show such mistakes in generated text, far from the author's, or not at all.

#include <span>

#include "graph/shader/generate/body_outline.h"
#include "graph/shader/generate/body_rules.h"

namespace lacuna {

// Mistakes that keep a body from the compiler: a bracket without its partner, a struct without its ';', or
// too much to expand (body_growth.h); at most one mistake. Brackets of bodies with #if are left to the
// compiler: their branches may open and close apart.
BodyMistakes checkForm(std::span<const Token> tokens);

// All checks: the form, then the rest if brackets match. `path`: of the body's file.
BodyMistakes checkBody(const BodyRules& rules, std::span<const Token> tokens, const std::string& path);

// The parts of the check. Functions and structs that are missing, misspelled, or declared differently.
void checkEntryPoints(const BodyRules& rules, const Outline& outline, const std::string& path,
                      BodyMistakes& mistakes);
// Forbidden parts of bodies of the node's kind: gl_ variables, bindings, globals, main.
void checkForbidden(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes);
// Mistakes about values: functions that can end without one, outputs and variables that are never set, inputs
// that are set.
void checkValues(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes);

BodyMistake mistakeAt(const PlacedToken& token, std::string message, std::string hint = {});

}  // namespace lacuna
