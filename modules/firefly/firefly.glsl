// A pixel that sticks out of its eight neighbours is scaled down to the brightest of them, times a factor;
// one that is not a number takes the neighbour of median luminance.
#include "shared/colour.glsl"
#include "shared/finite.glsl"

// A missing neighbour counts as darker than all others, and is never used.
const float absent = -3e38;

struct Centre { vec4 own; };
struct Acc {
  float luminances[9];
  vec3 colours[9];
};

Centre centre(Tap t, Pixel p) { return Centre(t.colour); }

Acc start(Centre c) {
  Acc a;
  for (int k = 0; k < 9; ++k) {
    a.luminances[k] = absent;
    a.colours[k] = vec3(0.0);
  }
  return a;
}

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  int k = 3 * o.steps.y + o.steps.x + 4;
  if (k != 4 && isFinite(t.colour.rgb)) {
    a.luminances[k] = luminanceOf(t.colour.rgb, colour_state);
    a.colours[k] = t.colour.rgb;
  }
}

// The neighbour with rank `rank`, by luminance and then by order.
vec3 neighbourOfRank(Acc a, int rank) {
  for (int k = 0; k < 9; ++k) {
    int before = 0;
    for (int j = 0; j < 9; ++j) {
      bool isBefore = a.luminances[j] < a.luminances[k] || (a.luminances[j] == a.luminances[k] && j < k);
      before += a.luminances[j] > absent && isBefore ? 1 : 0;
    }
    if (a.luminances[k] > absent && before == rank) { return a.colours[k]; }
  }
  return vec3(0.0);
}

State finish(Acc a, Centre c, Pixel p) {
  float most = 0.0;
  int count = 0;
  for (int k = 0; k < 9; ++k) {
    most = max(most, a.luminances[k]);
    count += a.luminances[k] > absent ? 1 : 0;
  }
  if (!isFinite(c.own.rgb)) { return vec4(neighbourOfRank(a, (count - 1) / 2), c.own.a); }
  float l = luminanceOf(c.own.rgb, colour_state);
  float limit = param.factor * most;
  return count > 0 && l > limit ? vec4(c.own.rgb * (limit / l), c.own.a) : c.own;
}
