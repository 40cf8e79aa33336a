// Each colour is read where the lens put it, and divided by the share of light that the lens left there
// (profile.h has the polynomials). Between pixels: Robert Keys, 1981, equation 15, a = -1/2; beyond the edge
// the last pixel repeats.

float term(int i) { return array_terms.data[i]; }

vec4 keys(float t) {
  vec4 d = vec4(t + 1.0, t, 1.0 - t, 2.0 - t);
  vec4 inner = (1.5 * d - 2.5) * d * d + 1.0;
  vec4 outer = ((-0.5 * d + 2.5) * d - 4.0) * d + 2.0;
  return vec4(outer.x, inner.yz, outer.w);
}

vec4 interpolated(vec2 at) {
  ivec2 base = ivec2(floor(at));
  vec4 across = keys(at.x - float(base.x));
  vec4 down = keys(at.y - float(base.y));
  ivec2 last = extent_picture - 1;
  vec4 sum = vec4(0.0);
  for (int y = 0; y < 4; ++y) {
    vec4 row = vec4(0.0);
    for (int x = 0; x < 4; ++x) {
      ivec2 place = clamp(base + ivec2(x, y) - 1, ivec2(0), last);
      row = fma(vec4(across[x]), load_picture(place), row);
    }
    sum = fma(vec4(down[y]), row, sum);
  }
  return sum;
}

// colour: 0 red, 1 green, 2 blue.
vec4 found(vec2 offset, vec2 middle, int colour) {
  float unit = length(max(middle, vec2(0.5)));
  float r = length(offset) / unit;
  float bent = term(1) + r * (term(2) + r * (term(3) + r * (term(4) + r * term(5))));
  float d = r * bent;
  int first = colour == 0 ? 6 : 9;
  float size = colour == 1 ? 1.0 : term(first) + d * (term(first + 1) + d * term(first + 2));
  float q = d * size * d * size;
  float light = term(12) + q * (term(13) + q * (term(14) + q * term(15)));
  vec4 value = interpolated(clamp(middle + offset * bent * size, vec2(-2.0), 2.0 * middle + 2.0));
  return vec4(value.rgb / max(light, 0.05), value.a);
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec2 middle = 0.5 * vec2(p.extent - 1);
  vec2 offset = (vec2(p.position) - middle) * term(0);
  vec4 result = found(offset, middle, 1);
  if (COLOURS == 3) {
    result.r = found(offset, middle, 0).r;
    result.b = found(offset, middle, 2).b;
  }
  store_result(p.position, result);
}
