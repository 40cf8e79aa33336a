// Converts between colours and the network's numbers, by the curve of the weights (network.h).

#define CURVE_LOG 0
#define CURVE_PERCEPTUAL 1
#define CURVE_SRGB 2
#define CURVE_SIGNED_UNIT 3
#define CURVE_PHOTOGRAPH 4

// The divisor of a colour before the network.
vec3 networkDivisor(vec3 albedo) { return max(cleanAlbedo(albedo), leastAlbedo); }

#if CURVE == CURVE_LOG
// `scale` and `maximum` are the weights file's. ln(1 + x) and exp(x) - 1 lose all digits of small x.
vec3 log1p_(vec3 x) { return mix(log(1.0 + x), x * (1.0 - x * (0.5 - x / 3.0)), lessThan(x, vec3(0.01))); }
vec3 expm1_(vec3 x) { return mix(exp(x) - 1.0, x * (1.0 + x * (0.5 + x / 6.0)), lessThan(x, vec3(0.01))); }

vec3 encode(vec3 colour) { return log1p_(scale * min(colour, maximum)) / log(1.0 + scale); }
vec3 decode(vec3 y) {
  float whole = log(1.0 + scale);
  return expm1_(clamp(y * whole, 0.0, log(1.0 + scale * maximum))) / scale;
}

#elif CURVE == CURVE_PERCEPTUAL
// Linear, a power, and a logarithm: constants of PU in Open Image Denoise's core/color. 65504 becomes 1.
vec3 perceptual(vec3 y) {
  vec3 low = 1.41283765e+03 * y, middle = 1.64593172 * pow(y, vec3(4.31384981e-01)) - 2.94139609e-03,
       high = 1.92653254e-01 * log(y + 6.26026094e-03) + 9.98620152e-01;
  return mix(mix(high, middle, lessThanEqual(y, vec3(3.22087631e-02))), low,
             lessThanEqual(y, vec3(1.57945760e-06)));
}
vec3 encode(vec3 colour) { return perceptual(colour) / perceptual(vec3(65504.0)); }
vec3 decode(vec3 v) {
  vec3 x = clamp(v, 0.0, 5.0) * perceptual(vec3(65504.0));  // beyond 5 no float holds the light
  vec3 low = x / 1.41283765e+03,
       middle = pow(max((x + 2.94139609e-03) / 1.64593172, 0.0), vec3(1.0 / 4.31384981e-01)),
       high = exp((x - 9.98620152e-01) / 1.92653254e-01) - 6.26026094e-03;
  return mix(mix(high, middle, lessThanEqual(x, vec3(3.70974749e-01))), low,
             lessThanEqual(x, vec3(2.23151711e-03)));
}

#elif CURVE == CURVE_SRGB || CURVE == CURVE_PHOTOGRAPH
vec3 bounded(vec3 v) { return CURVE == CURVE_SRGB ? clamp(v, 0.0, 1.0) : v; }
vec3 encode(vec3 colour) {
  vec3 y = bounded(colour);
  return mix(1.055 * pow(max(y, 0.0), vec3(1.0 / 2.4)) - 0.055, 12.92 * y, lessThanEqual(y, vec3(0.0031308)));
}
vec3 decode(vec3 x) {
  return bounded(mix(pow((max(x, 0.0) + 0.055) / 1.055, vec3(2.4)), x / 12.92, lessThanEqual(x, vec3(0.04045))));
}

#else
vec3 encode(vec3 normal) { return normal * 0.5 + 0.5; }
vec3 decode(vec3 v) { return clamp(v * 2.0 - 1.0, -1.0, 1.0); }
#endif
