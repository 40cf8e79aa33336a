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
float maskOf(vec4 v, int tag) { return luminanceOf(v, tag) * v.a; }

// a at 0, b at 1, without any of the other one there, even NaN and infinity.
vec3 between(vec3 a, vec3 b, float t) { return t <= 0.0 ? a : t >= 1.0 ? b : a * (1.0 - t) + b * t; }

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 front = asColour(i.input);
  vec4 back = asColour(i.back);
  float cover = front.a * param.opacity;
  if (has_mask) { cover *= toUnit(maskOf(i.mask, colour_mask)); }
  // Colour where both are, where only `input` is, and the share of `input` in the result.
  vec3 mixed = between(front.rgb, blended(back.rgb, front.rgb), back.a);
  float alpha = cover + back.a * (1.0 - cover);
  o.output = alpha <= 0.0 ? vec4(0.0) : vec4(between(back.rgb, mixed, cover / alpha), alpha);
}
