// W3C, Compositing and Blending Level 1: section 5.8 (alpha), 9.1 (separable blend modes).
#include "shared/colour.glsl"

float screen(float b, float s) { return b + s - b * s; }
float hardLight(float b, float s) { return s <= 0.5 ? 2.0 * b * s : screen(b, 2.0 * s - 1.0); }
float dodge(float b, float s) { return b <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : min(1.0, b / (1.0 - s)); }
float burn(float b, float s) { return b >= 1.0 ? 1.0 : s <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - b) / s); }
float softLight(float b, float s) {
  if (s <= 0.5) return b - (1.0 - 2.0 * s) * b * (1.0 - b);
  float d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : sqrt(b);
  return b + (2.0 * s - 1.0) * (d - b);
}

// `b`: back, `s`: input.
float blended(float b, float s) {
  switch (param.mode) {
    case 1: return b + s;
    case 2: return b * s;
    case 3: return screen(b, s);
    case 4: return hardLight(s, b);  // overlay
    case 5: return min(b, s);
    case 6: return max(b, s);
    case 7: return dodge(b, s);
    case 8: return burn(b, s);
    case 9: return hardLight(b, s);
    case 10: return softLight(b, s);
    case 11: return abs(b - s);
    case 12: return b + s - 2.0 * b * s;
  }
  return s;
}
vec3 blended(vec3 b, vec3 s) { return vec3(blended(b.r, s.r), blended(b.g, s.g), blended(b.b, s.b)); }

float maskOf(float v, int tag) { return v; }
float maskOf(vec3 v, int tag) { return luminanceOf(v, tag); }
float maskOf(vec4 v, int tag) { return luminanceOf(v, tag); }

// Colour without weight has no effect, even if it is NaN or infinite.
vec3 part(vec3 colour, float weight) { return weight <= 0.0 ? vec3(0.0) : colour * weight; }

// The blended colour where both images cover, from straight colours. `normal` needs no quotient.
vec3 overlap(vec4 back, vec4 front) {
  if (param.mode == 0) { return part(front.rgb, back.a); }
  return part(blended(straightened(back).rgb, straightened(front).rgb), front.a * back.a);
}

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 front = asColour(i.input);
  vec4 back = asColour(i.back);
  float share = param.opacity;
  if (has_mask) { share *= toUnit(maskOf(i.mask, colour_mask)); }
  o.output = back;
  if (share <= 0.0) { return; }
  front *= share;
  vec3 apart = part(front.rgb, 1.0 - back.a) + part(back.rgb, 1.0 - front.a);
  o.output = vec4(apart + overlap(back, front), front.a + back.a * (1.0 - front.a));
}
