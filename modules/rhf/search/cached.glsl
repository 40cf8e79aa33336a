// Fewer active workgroups, by more shared memory than needed (ROOM, KiB), so that each has more of the cache:
// Szeracki et al. 2015, section 3.3.

#define PADDED
#include "search/found.glsl"
#include "search/histogram_wise.glsl"
#include "search/ring.glsl"
