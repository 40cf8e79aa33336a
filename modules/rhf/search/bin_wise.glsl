// Bin after bin, in the device's memory and in shared memory.

#include "search/words.glsl"

Word globalWord(int at, int w) { return at_packed(w, at); }
float globalSamples(int at) { return at_histogram(bins, at); }
