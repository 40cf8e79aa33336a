// Converts between colours and the network's numbers. `scale` and `maximum` are the weights file's.

// The divisor of a colour before the network.
vec3 networkDivisor(vec3 albedo) { return max(cleanAlbedo(albedo), leastAlbedo); }

// ln(1 + x) and exp(x) - 1 lose all digits of small x.
vec3 log1p_(vec3 x) { return mix(log(1.0 + x), x * (1.0 - x * (0.5 - x / 3.0)), lessThan(x, vec3(0.01))); }
vec3 expm1_(vec3 x) { return mix(exp(x) - 1.0, x * (1.0 + x * (0.5 + x / 6.0)), lessThan(x, vec3(0.01))); }

vec3 encode(vec3 colour) { return log1p_(scale * min(colour, maximum)) / log(1.0 + scale); }
vec3 decode(vec3 y) {
  float whole = log(1.0 + scale);
  return expm1_(clamp(y * whole, 0.0, log(1.0 + scale * maximum))) / scale;
}
