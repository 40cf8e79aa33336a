// Noise that depends on the signal, sd(x) = noise * ((x + offset) / (1 + offset))^power: its integral, a
// power of x, gives all of it one standard deviation (a variance-stabilising transform; for power 1/2 it is
// Anscombe's). Brightness and two opponent colours are filtered, because noise is equal in all three, but
// pictures have less detail in colours.

#include "clipping.glsl"
#include "opponent.glsl"

// Factor of the colours' thresholds relative to brightness.
const float colourThresholds = 2.8;

Growth growth() { return Growth(param.noise_power, param.noise_offset); }

float noiseOfState() { return param.noise * 0.57735027; }  // of a mean of three

// Noise of brightness and of colours, relative to white noise at this level.
vec2 noiseAt(int level) {
  return level == 0 ? vec2(param.fine, param.colour_fine) : vec2(param.coarse, param.colour_coarse);
}

#define Edges vec2
Edges edgesOf(int level) { return param.edges[level] * noiseAt(level); }

vec3 thresholdsOf(int level) {
  vec2 t = param.thresholds[level] * noiseOfState() * noiseAt(level);
  return vec3(t.x, vec2(t.y * colourEdges * colourThresholds));
}

float logWeight(Edges falloff, vec3 d, float start) {
  return fma(d.x * d.x, -falloff.x, fma(fma(d.y, d.y, d.z * d.z), -falloff.y, start));
}

#include "levels.glsl"

// Values of a bounded picture were cut off at 0 and at 1.
vec3 unclippedState(vec3 v) {
  float noise = max(param.noise, leastNoise);
  float white = param.bounded ? stabilised(vec3(1.0), growth()).r / noise : 0.0;
  return v - addedByClipping(v / noise, param.clipped, white) * param.noise;
}

State init(Inputs i, Pixel p) { return vec4(opponent(stabilised(i.state.rgb, growth())), i.state.a); }

void output(State s, inout Outputs o, Pixel p) {
  float a = s.y * (1.2247449 / colourEdges);
  float b = s.z * (0.70710678 / colourEdges);
  vec3 v = unclippedState(vec3(s.x + a + b, s.x - 2.0 * b, s.x - a + b));
  vec3 x = restored(v, growth());
  o.output = vec4(param.bounded ? clamp(x, 0.0, 1.0) : x, s.a);
}
