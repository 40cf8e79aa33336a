#pragma once
// The two ends of a chain: the making of its first state, and the use of its result, with the pointwise nodes
// that joined it.

#include "graph/shader/generate/body_context.h"

namespace lacuna {

// `n0_State firstState(ivec2 at)`, of the original layout: after the own body.
std::string declareFirstState(const ShaderContext& context);
std::vector<ValueType> firstStateTypes(const ShaderContext& context);  // whose codecs it calls

// `void storeResult(n0_State s, Pixel p)`: output(), what follows the chain, and stores. After the own body.
std::string declareResult(const ShaderContext& context, const Body& body);
std::vector<ValueType> resultTypes(const ShaderContext& context);

}  // namespace lacuna
