#pragma once
// An estimate of a stencil's body's work: operators and calls counted over the tokens of its functions and of
// those that they call. Widths come from the types that declarations name; both sides of a branch count; a
// loop counts as often as a number in its condition says, else four times. An estimate, for the cost model.

#include <string>
#include <string_view>

#include "graph/schedule/filter_work.h"

namespace lacuna {

// `glsl`: the text of a level's shader, with the body under the prefix n0.
FilterWork countWork(std::string_view glsl);

// Exposed for tests: of one function of the text.
Operations countFunction(std::string_view glsl, const std::string& function);

}  // namespace lacuna
