// Noise that is the same everywhere: the image itself is the first state.
float noiseOfState() { return param.noise; }
vec3 thresholdsOf(int level) { return vec3(param.thresholds[level] * param.noise); }

#include "levels.glsl"
