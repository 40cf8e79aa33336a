#pragma once
// Checks of a body before a compiler sees it: brackets that don't match, functions that its node's kind calls
// and that it lacks, and forbidden parts that a compiler would accept. The compiler would show such mistakes
// in generated text, far from the author's, or not at all. compiler_log.h has the checks that need a
// compiler.

#include <span>

#include "graph/shader/generate/body_mistake.h"
#include "graph/shader/generate/body_outline.h"
#include "graph/shader/generate/body_rules.h"

namespace lacuna {

// Mistakes that keep a body from the compiler: a bracket without its partner, a struct without its ';', or
// too much to expand (growthMistakes()); at most one mistake. Brackets of bodies with #if are left to the
// compiler: their branches may open and close apart.
BodyMistakes checkForm(std::span<const Token> tokens);

// All checks: the form, then the rest if brackets match. `path`: of the body's file.
BodyMistakes checkBody(const BodyRules& rules, std::span<const Token> tokens, const std::string& path);

// The parts of the check. Functions and structs that are missing or misspelled, outputs that a kernel never
// stores.
void checkEntryPoints(const BodyRules& rules, const Outline& outline, const std::string& path,
                      BodyMistakes& mistakes);
// Forbidden parts of bodies of the node's kind: gl_ variables, bindings, globals, main.
void checkForbidden(const BodyRules& rules, const Outline& outline, BodyMistakes& mistakes);

BodyMistake mistakeAt(const PlacedToken& token, std::string message, std::string hint = {});

// The size of an expanded body: macros and functions can double with every line, and a compiler that expands
// them all would never end. LACUNA_SHADER_SECONDS alone is not enough: 60 macros, each twice the one before,
// take glslang 1 GB more every 4 seconds (2026-11-25), and programs that embed Lacuna have no such limit.
constexpr double mostTokens = 2e7;  // of a function, with all macros and calls in it expanded

// The first function that is larger; at most one mistake. Needs matching brackets.
BodyMistakes growthMistakes(const Outline& outline);

}  // namespace lacuna
