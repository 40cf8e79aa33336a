// Colours of the last layer's results, a pixel's floats in `resultQuads`. If MIX is defined, it adds what the weights
// file names to the network's own colour, on the curve.

#include "clean.glsl"
#include "shared/colour.glsl"
#include "transfer.glsl"

// A softmax of the added colours.
struct Mixture {
  vec3 colour;
  float weight;
  float most;  // logit
};
// colour.a: 0 where there is no colour
void add(inout Mixture m, float logit, vec4 colour) {
  if (!(colour.a > 0.0)) { return; }
  float most = max(m.most, logit), old = exp(m.most - most), weight = exp(logit - most);
  m = Mixture(fma(vec3(weight), colour.rgb, old * m.colour), fma(old, m.weight, weight), most);
}

vec3 resultAt(ivec2 p) {
  vec4 results[resultQuads];
  ivec2 at = p - partOrigin();
#if CURVE == CURVE_PHOTOGRAPH
  at += redPlace();
  int pixel = at.y % 2 * 2 + at.x % 2;
  at /= 2;
#endif
  for (int i = 0; i < resultQuads; ++i) {
    results[i] = uintBitsToFloat(quads_sums.data[(at.y * sumsWidth + at.x) * resultQuads + i]);
  }
#if defined(MIX)
  Mixture m = Mixture(results[0].rgb, 1.0, 0.0);
  MIX
  return m.colour / m.weight;
#elif CURVE == CURVE_PHOTOGRAPH
  return baseAt(p) + vec3(results[0][pixel], results[1][pixel], results[2][pixel]);
#else
  return results[0].rgb;
#endif
}

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (any(greaterThanEqual(p, extent_input))) { return; }
  vec3 unit = vec3(1.0 / exposureOf());
  if (demodulates) { unit *= networkDivisor(load_albedo(p).rgb); }
  vec3 colour = decode(resultAt(p)) * unit;
#if CURVE == CURVE_LOG
  colour += max(cleanColour(asColour(load_input(p)).rgb) - maximum * unit, 0.0);  // light beyond the curve
#endif
  colour = min(colour, 3e38);
  if (format_output == format_f16) { colour = min(colour, 65504.0); }
  vec4 result = vec4(colour, asColour(load_input(p)).a);
#if pattern_input == 2
  store_output(p, result);
#else
  Inputs i;
  narrow(result, i.input);
  store_output(p, i.input);
#endif
}
