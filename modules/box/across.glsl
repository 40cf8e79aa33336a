#include "weights.glsl"
#include "shared/separable.glsl"

void run(Pixel p) { filterAlong(p, ivec2(1, 0)); }
