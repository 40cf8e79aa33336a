// Histogram after histogram in the device's memory, all distances kept: Szeracki et al. 2015, section 3.3.

#define TRACKED
#include "search/found.glsl"
#include "search/histogram_wise.glsl"
#include "search/plain.glsl"
