#include "shared/random.glsl"

vec4 noisy(vec4 v, vec3 noise) { return vec4(fma(noise, vec3(param.sigma), v.rgb), v.a); }
vec3 noisy(vec3 v, vec3 noise) { return fma(noise, vec3(param.sigma), v); }
float noisy(float v, vec3 noise) { return fma(noise.x, param.sigma, v); }

void apply(Inputs i, inout Outputs o, Pixel p) {
  uvec4 key = uvec4(uvec2(p.position), uint(param.seed), uint(frame.index));
  o.output = noisy(i.input, toNormal(hash4(key)).xyz);
}
