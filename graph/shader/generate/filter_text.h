#pragma once
// A filter's computation, as text: the same for two filters that compute the same, wherever their files are
// and whatever their names. Measurements are kept under it.

#include <string>
#include <string_view>
#include <vector>

#include "graph/nodes/node_graph.h"
#include "graph/schedule/knowledge.h"

namespace lacuna {

// Its bodies with their includes, for a kernel those of all suitable variants; the types of its inputs and
// outputs; its description, and the values of structural parameters that bodies read. Nothing is generated.
// Throws ShaderSourceError for bodies that can't be read.
std::string filterText(const NodeGraph& graph, const Node& node, const std::vector<std::string>& includePath);

// An estimate of the work of a stencil's body, for the cost model: operators and calls counted over the
// tokens of its functions and of those that they call. Widths come from the types that declarations name;
// both sides of a branch count; a loop counts as often as a number in its condition says, else four times.
// `glsl`: the text of a level's shader, with the body under the prefix n0.
FilterWork countWork(std::string_view glsl);

// Exposed for tests: of one function of the text.
Operations countFunction(std::string_view glsl, const std::string& function);

}  // namespace lacuna
