// Constant noise: the image itself is the first state.
#define Edges float

float noiseOfState() { return param.noise; }

// Colour differences aren't scaled by 0.58 here, so the same noise is sqrt(3 / (1 + 2 * 0.58^2)) times as
// wide.
Edges edgesOf(int level) { return 1.339179 * param.edges[level]; }
float logWeight(Edges falloff, vec3 d, float start) {
  return fma(fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)), -falloff, start);
}
vec3 thresholdsOf(int level) { return vec3(param.thresholds[level] * param.noise); }

#include "levels.glsl"
