// Four candidates of a row at a time, so that the pixel's own histogram is loaded once for them; without
// shared memory.

#define CANDIDATES 4
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/plain.glsl"
