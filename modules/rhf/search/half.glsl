// As binwise.glsl, in halves: Szeracki et al. 2015, section 3.3.

#define HALVES
#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/ring.glsl"
