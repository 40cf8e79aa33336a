// The noise's curve, and values of one standard deviation: brightness and two opponent colours, by an
// orthonormal transform of stabilised values (eaw/opponent.glsl), so that white noise is equal in all three.

#include "eaw/opponent.glsl"

#include "shared/finite.glsl"

const float leastNoise = 1e-6;

struct Noise { float amount; Growth growth; float clipped; };

float noiseNumber(int i, float otherwise) {
  return count_noise > i && array_noise.data[0] > 0.0 ? array_noise.data[i] : otherwise;
}

Noise noiseOfInput() {
  return Noise(max(noiseNumber(0, param.noise), leastNoise),
               Growth(noiseNumber(1, param.noise_power), noiseNumber(2, param.noise_offset)),
               noiseNumber(3, param.clipped));
}

// White of bounded pictures, in standard deviations; 0: none.
float whiteOf(Noise n) { return param.bounded ? stabilised(vec3(1.0), n.growth).r / n.amount : 0.0; }

vec3 opponentValues(vec3 v) {
  return vec3((v.r + v.g + v.b) * 0.57735027, (v.r - v.b) * 0.70710678, (v.r - 2.0 * v.g + v.b) * 0.40824829);
}

// The stabilised light, `otherwise` if it isn't finite: a power of NaN may be a number, and a quotient infinite.
vec3 stabilisedOr(vec3 otherwise, vec3 light, Noise n) {
  vec3 v = stabilised(light, n.growth) / n.amount;
  return isFinite(light) && isFinite(v) ? v : otherwise;
}

vec3 colourOf(vec3 v, Noise n) {
  float y = v.x * 0.57735027, a = v.y * 0.70710678, b = v.z * 0.40824829;
  return restored(n.amount * vec3(y + a + b, y - 2.0 * b, y - a + b), n.growth);
}
