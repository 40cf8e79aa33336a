#include "weights.glsl"
#include "common/separable.glsl"

void run(Pixel p) { filterAlong(p, ivec2(1, 0)); }
