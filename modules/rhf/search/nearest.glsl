// Patches are summed when found, and only the nearest are kept: Szeracki et al. 2015, section 3.3.

#define PADDED
#include "search/found.glsl"
#include "search/histogram_wise.glsl"
#include "search/ring.glsl"
