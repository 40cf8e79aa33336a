// A row of the search window in shared memory, histogram after histogram, all distances kept: Szeracki et al.
// 2015, section 3.3.

#define TRACKED
#include "search/found.glsl"
#include "search/histogram_wise.glsl"
#include "search/ring.glsl"
