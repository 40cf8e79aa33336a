#include "shared/colour.glsl"

// Krzysztof Narkowicz, ACES Filmic Tone Mapping Curve, 2015: a fit to the ACES reference rendering transform.
float aces(float x) { return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14); }

// John Hable, Filmic Tonemapping Operators, 2010, with his constants and his exposure bias of 2. Hable
// subtracts E / F from a quotient; with a common denominator, dark values don't cancel.
float hable(float x) {
  float v = 2.0 * x;
  return v * (0.14 * v + 0.05 / 3.0) / (v * (0.15 * v + 0.5) + 0.06);
}

float curve(float x) { return param.curve == 0 ? aces(x) : hable(x); }

// Each curve's own white (Hable: 11.2 after his bias); for aces, where the fit reaches 1.
float whitePoint() {
  if (param.white > 0.0) return param.white;
  return param.curve == 0 ? 7.2416574 : param.curve == 1 ? 5.6 : 4.0;
}

// The curve scaled so that white becomes 1; larger values are 1, and NaN and values below 0 are 0.
float mapped(float x, float white) {
  float v = x > 0.0 ? min(x, white) : 0.0;
  // Reinhard et al. 2002, equation 4.
  if (param.curve == 2) return v * (1.0 + v / (white * white)) / (1.0 + v);
  return min(curve(v) / curve(white), 1.0);
}
vec3 mapped(vec3 v, float white) { return vec3(mapped(v.r, white), mapped(v.g, white), mapped(v.b, white)); }

// Largest colour that is scaled by its luminance, so that products stay finite.
const float mostColour = 1e18;
float bounded(float v) { return v > 0.0 ? min(v, mostColour) : 0.0; }
vec3 bounded(vec3 v) { return vec3(bounded(v.r), bounded(v.g), bounded(v.b)); }

vec3 tonemapped(vec3 v, int tag) {
  vec3 exposed = v * exp2(param.exposure);
  float white = whitePoint();
  if (param.apply_to == 0) return mapped(exposed, white);
  vec3 scene = bounded(exposed);
  float y = luminanceOf(scene, tag);
  return y > 0.0 ? scene * (mapped(y, white) / y) : vec3(0.0);
}
// Maps straight colour. Colour of pixels with almost no alpha is light by itself.
vec4 tonemapped(vec4 v, int tag) {
  float cover = v.a >= 0.01 && v.a < 1.0 ? v.a : 1.0;
  return vec4(tonemapped(v.rgb / cover, tag) * cover, v.a);
}
float tonemapped(float v, int tag) { return mapped(v * exp2(param.exposure), whitePoint()); }

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = tonemapped(i.input, colour_input); }
