// A pixel that sticks out of its eight neighbours is scaled down to the brightest of them, times a factor;
// one that is not a number takes the neighbour of median luminance.
#include "shared/colour.glsl"
#include "shared/finite.glsl"

// A missing neighbour counts as darker than all others, and is never used.
const float absent = -3e38;

float luminanceAt(ivec2 q, ivec2 extent) {
  if (q != clamp(q, ivec2(0), extent - 1)) { return absent; }
  vec3 colour = load_input(q).rgb;
  return isFinite(colour) ? luminanceOf(colour, colour_input) : absent;
}

ivec2 neighbour(ivec2 p, int k) { return p + ivec2(k % 3, k / 3) - 1; }

// The neighbour with rank `rank`, by luminance and then by order.
vec3 neighbourOfRank(float luminances[9], int rank, ivec2 p) {
  for (int k = 0; k < 9; ++k) {
    int before = 0;
    for (int j = 0; j < 9; ++j) {
      bool isBefore = luminances[j] < luminances[k] || (luminances[j] == luminances[k] && j < k);
      before += luminances[j] > absent && isBefore ? 1 : 0;
    }
    if (luminances[k] > absent && before == rank) { return load_input(neighbour(p, k)).rgb; }
  }
  return vec3(0.0);
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float luminances[9];
  float most = 0.0;
  int count = 0;
  for (int k = 0; k < 9; ++k) {
    luminances[k] = k == 4 ? absent : luminanceAt(neighbour(p.position, k), p.extent);
    most = max(most, luminances[k]);
    count += luminances[k] > absent ? 1 : 0;
  }
  vec4 own = load_input(p.position);
  if (isFinite(own.rgb)) {
    float l = luminanceOf(own.rgb, colour_input);
    float limit = param.factor * most;
    if (count > 0 && l > limit) { own.rgb *= limit / l; }
  } else {
    own.rgb = neighbourOfRank(luminances, (count - 1) / 2, p.position);
  }
  store_output(p.position, own);
}
