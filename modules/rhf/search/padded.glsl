// Each histogram has a word of padding in shared memory: Szeracki et al. 2015, section 3.3.

#define PADDED
#define TRACKED
#include "search/found.glsl"
#include "search/histogram_wise.glsl"
#include "search/ring.glsl"
