#include "weights.glsl"

const float floorValue = 0.0;
struct Pair { float low; float high; };

float brightness(vec3 c) { return dot(c, weights); }

void apply(Inputs i, inout Outputs o, Pixel p) {
  Pair range = Pair(floorValue, 1.0);
  float y = clamp(brightness(i.input.rgb), range.low, range.high);
  vec3 colour = i.input.rgb * mix(param.shadows, 1.0, y);
  if (has_mask && frame.index > 0) {
    colour *= i.mask;
  }
  o.output = vec4(colour, i.input.a);
}
