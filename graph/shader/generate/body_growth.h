#pragma once
// How large a body becomes: macros and functions can double with every line, and a compiler that expands them
// all would run for ever.

#include "graph/shader/generate/body_mistake.h"
#include "graph/shader/generate/body_outline.h"

namespace lacuna {

constexpr double mostTokens = 2e7;  // of a function, with all macros and calls in it expanded

// The first function that is larger; at most one mistake. Needs matching brackets.
BodyMistakes growthMistakes(const Outline& outline);

}  // namespace lacuna
