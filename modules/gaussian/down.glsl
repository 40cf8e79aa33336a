#include "weights.glsl"
#include "shared/separable.glsl"

void run(Pixel p) { filterAlong(p, ivec2(0, 1)); }
