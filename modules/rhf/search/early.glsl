// Four candidates at a time, which end as soon as none of them can be accepted; without shared memory.

#define EARLY
#define CANDIDATES 4
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/plain.glsl"
