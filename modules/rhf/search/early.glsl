// Patches are left as soon as they can no longer be accepted; bin after bin, without shared memory.

#define EARLY
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/plain.glsl"
