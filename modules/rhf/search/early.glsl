// Four candidates at a time, which are left as soon as none of them can be accepted any more; without shared memory.

#define EARLY
#define CANDIDATES 4
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/plain.glsl"
