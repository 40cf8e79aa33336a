#include "weights.glsl"
#include "common/separable.glsl"

void run(Pixel p) { filterAlong(p, ivec2(0, 1)); }
