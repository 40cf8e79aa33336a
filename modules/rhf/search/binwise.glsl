// Bin after bin, in shared memory and in the device's, only bins that comparisons need; fewer active
// workgroups, as in cached.glsl: Szeracki et al. 2015, section 3.3.

#include "search/found.glsl"
#include "search/bin_wise.glsl"
#include "search/ring.glsl"
