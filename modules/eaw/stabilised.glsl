// Noise that depends on the signal, sd(x) = noise * ((x + offset) / (1 + offset))^power: its integral, a power of x, gives
// all of it one standard deviation (a variance-stabilising transform; for power 1/2 it is Anscombe's). Brightness and two
// opponent colours are filtered, since noise has as much of each and pictures have less of the latter.

// Of the colours beside the brightness: how far a difference counts as an edge, and their thresholds.
const float colourEdges = 0.58;
const float colourThresholds = 2.8;

float noiseOfState() { return param.noise * 0.57735027; }  // of a mean of three
float edgesOf(int level) { return param.edges[level]; }

vec3 thresholdsOf(int level) {
  float t = param.thresholds[level] * noiseOfState();
  return vec3(t, vec2(t * colourEdges * colourThresholds));
}

#include "levels.glsl"

float exponent() { return 1.0 - param.noise_power; }
float origin() { return pow(param.noise_offset, exponent()); }
// So that the noise is `noise`: d/dx = ((1 + offset) / (x + offset))^power.
float scale() { return pow(1.0 + param.noise_offset, param.noise_power) / exponent(); }

// Odd, since noise leads below zero.
vec3 stabilised(vec3 x) {
  vec3 v = (pow(abs(x) + param.noise_offset, vec3(exponent())) - origin()) * scale();
  return mix(v, -v, lessThan(x, vec3(0.0)));
}

vec3 restored(vec3 v) {
  vec3 x = pow(abs(v) / scale() + origin(), vec3(1.0 / exponent())) - param.noise_offset;
  return mix(x, -x, lessThan(v, vec3(0.0)));
}

// Where values below zero were cut off, the mean of normal noise of standard deviation 1 around u is not u but
// m = u cdf(u) + pdf(u) (Foi 2009, Clipped noisy images). Its inverse, within 0.02: u = m - exp(-2.3 m).
vec3 unclipped(vec3 v) {
  vec3 m = v / max(param.noise, leastNoise);
  return v - param.clipped * min(exp(-2.3 * max(m, vec3(0.0))), max(m, vec3(0.0))) * param.noise;
}

State init(Inputs i, Pixel p) {
  vec3 v = stabilised(i.state.rgb);
  return vec4((v.r + v.g + v.b) / 3.0, colourEdges * vec2((v.r - v.b) * 0.40824829, (v.r - 2.0 * v.g + v.b) * 0.23570226),
              i.state.a);
}

void output(State s, inout Outputs o, Pixel p) {
  float a = s.y * (1.2247449 / colourEdges);
  float b = s.z * (0.70710678 / colourEdges);
  o.output = vec4(restored(unclipped(vec3(s.x + a + b, s.x - 2.0 * b, s.x - a + b))), s.a);
}
