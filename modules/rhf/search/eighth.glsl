// Bin after bin, bytes.

#define BYTES
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/ring.glsl"
