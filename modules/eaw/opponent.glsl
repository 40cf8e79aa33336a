// The stabilised values that stabilised.glsl filters.

// The weight of opponent colours' differences in edges.
const float colourEdges = 0.58;

struct Growth { float power; float offset; };  // of noise with the signal

float exponent(Growth g) { return 1.0 - g.power; }
float origin(Growth g) { return pow(g.offset, exponent(g)); }
// Scaled so that the noise is `noise`: d/dx = ((1 + offset) / (x + offset))^power.
float scale(Growth g) { return pow(1.0 + g.offset, g.power) / exponent(g); }

// An odd function, since noise goes below zero.
vec3 stabilised(vec3 x, Growth g) {
  vec3 v = (pow(abs(x) + g.offset, vec3(exponent(g))) - origin(g)) * scale(g);
  return mix(v, -v, lessThan(x, vec3(0.0)));
}

vec3 restored(vec3 v, Growth g) {
  vec3 x = pow(abs(v) / scale(g) + origin(g), vec3(1.0 / exponent(g))) - g.offset;
  return mix(x, -x, lessThan(v, vec3(0.0)));
}

// Brightness and two opponent colours: an orthonormal transform over the square root of three, with less
// weight for the colours.
vec3 opponent(vec3 v) {
  return vec3((v.r + v.g + v.b) / 3.0,
              colourEdges * vec2((v.r - v.b) * 0.40824829, (v.r - 2.0 * v.g + v.b) * 0.23570226));
}
