// Histogram after histogram, in the device's memory and in shared memory.

#define HISTOGRAM_WISE
#include "search/words.glsl"

Word globalWord(int at, int w) { return array_packed.data[at * (bins + 1) + w]; }
float globalSamples(int at) { return array_packed.data[at * (bins + 1) + bins]; }
