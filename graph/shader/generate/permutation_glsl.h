#pragma once
// pattern/permutation.h as GLSL, for shaders that read or write permuted layouts.

#include <string>

#include "graph/pattern/permutation.h"

namespace lacuna {

// Along one axis of n pixels: `placeOf(pixel, n, levels)` and `pixelAt(place, n, levels)`, inverse to each
// other, and `nextPlace(place, pixel, n, levels)`, the place after one more split, of the pixel that lies at
// `place` after `levels`. The paper's closed form (figure 4, lines 18 to 22) needs padded sizes; walking the
// levels needs none and works for every size. If `levels` is a constant, the loops unroll. Mirrored layouts
// also have `reflected(place, n)`, which mirrors places beyond the ends.
std::string permutationFunctions(const Embedding& embedding);

}  // namespace lacuna
