#pragma once
// The size of an expanded body: macros and functions can double with every line, and a compiler that expands
// them all would never end. LACUNA_SHADER_SECONDS alone is not enough: 60 macros, each twice the one before,
// take glslang 1 GB more every 4 seconds (2026-11-25), and programs that embed Lacuna have no such limit.

#include "graph/shader/generate/body_mistake.h"
#include "graph/shader/generate/body_outline.h"

namespace lacuna {

constexpr double mostTokens = 2e7;  // of a function, with all macros and calls in it expanded

// The first function that is larger; at most one mistake. Needs matching brackets.
BodyMistakes growthMistakes(const Outline& outline);

}  // namespace lacuna
