// Noise that is the same everywhere: the image itself is the first state.
float noiseOfState() { return param.noise; }

// Noise is 1.34 times as far apart as where its colours count 0.58 times: sqrt(3 / (1 + 2 * 0.58^2)).
float edgesOf(int level) { return 1.339179 * param.edges[level]; }
vec3 thresholdsOf(int level) { return vec3(param.thresholds[level] * param.noise); }

#include "levels.glsl"
