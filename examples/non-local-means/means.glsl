#include "shared/colour.glsl"

struct Centre { State own; };
struct Acc { vec3 sum; float weight; };

// Difference of two pixels, summed over patches by the generator.
float difference(Tap a, Tap b) {
  vec3 d = asColour(a.colour).rgb - asColour(b.colour).rgb;
  return fma(d.r, d.r, fma(d.g, d.g, d.b * d.b));
}

Centre centre(Tap t, Pixel p) { return Centre(t.colour); }
Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

// Equal patches differ only by noise, by 2 sigma^2 a value.
void gather(inout Acc a, Centre c, Tap t, Offset o, float patchDifference) {
  float side = float(2 * param.patch + 1);
  float excess = max(patchDifference / (3.0 * side * side * param.sigma * param.sigma) - 2.0, 0.0);
  float w = exp2(-1.44269504 * excess / (param.strength * param.strength));
  a.sum = fma(vec3(w), asColour(t.colour).rgb, a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) {
  State mean;
  narrow(vec4(a.sum / a.weight, asColour(c.own).a), mean);
  return mean;
}
