#pragma once
// Text of the pointwise parts of a node: their declarations, and calls of them at a pixel `ivec2 at` of the
// original layout. A part's results are in a variable <prefix>_out_, rounded through their formats, so that
// later parts see the same values as from memory.

#include "graph/shader/generate/body_context.h"

namespace lacuna {

// Structs and bodies of the parts from first to before end.
std::string declareParts(const ShaderContext& context, int first, int end);

// Calls of the parts; values that leave the node are stored to `out_<value>`.
std::string callParts(const ShaderContext& context, int first, int end);

// `<prefix>_in` with the part's inputs, from `in_<value>` and from earlier parts.
std::string readInputs(const ShaderContext& context, int part);

// GLSL of one input, by name.
std::string inputExpression(const ShaderContext& context, int part, const std::string& name);

// The types through whose formats calls of the parts round.
std::vector<ValueType> roundedTypes(const ShaderContext& context, int first, int end);

// The two ends of a chain: the making of its first state, and the use of its result, with the pointwise nodes
// that joined it.
// `n0_State firstState(ivec2 at)`, of the original layout: after the own body.
std::string declareFirstState(const ShaderContext& context);
std::vector<ValueType> firstStateTypes(const ShaderContext& context);  // whose codecs it calls

// `void storeResult(n0_State s, Pixel p)`: output(), what follows the chain, and stores. After the own body.
std::string declareResult(const ShaderContext& context, const Body& body);
std::vector<ValueType> resultTypes(const ShaderContext& context);

}  // namespace lacuna
