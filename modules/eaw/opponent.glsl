// The stabilised values that stabilised.glsl filters.

// The weight of opponent colours' differences in edges.
const float colourEdges = 0.58;

float exponent() { return 1.0 - param.noise_power; }
float origin() { return pow(param.noise_offset, exponent()); }
// Scaled so that the noise is `noise`: d/dx = ((1 + offset) / (x + offset))^power.
float scale() { return pow(1.0 + param.noise_offset, param.noise_power) / exponent(); }

// An odd function, since noise goes below zero.
vec3 stabilised(vec3 x) {
  vec3 v = (pow(abs(x) + param.noise_offset, vec3(exponent())) - origin()) * scale();
  return mix(v, -v, lessThan(x, vec3(0.0)));
}

vec3 restored(vec3 v) {
  vec3 x = pow(abs(v) / scale() + origin(), vec3(1.0 / exponent())) - param.noise_offset;
  return mix(x, -x, lessThan(v, vec3(0.0)));
}

// Brightness and two opponent colours: an orthonormal transform over the square root of three, with less
// weight for the colours.
vec3 opponent(vec3 v) {
  return vec3((v.r + v.g + v.b) / 3.0,
              colourEdges * vec2((v.r - v.b) * 0.40824829, (v.r - 2.0 * v.g + v.b) * 0.23570226));
}
