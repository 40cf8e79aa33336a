// An invocation for a column of ROWS pixels: it reads and decodes a row of taps once for the seven pixels that
// need it. CPU devices take both sides of a branch, so what hardly any pixel needs is in loops of no turns.

#extension GL_EXT_control_flow_attributes : require
#include "deviation.glsl"

Near taps[7][7];  // around the pixel

void advance(ivec2 p, ivec2 extent) {
  [[unroll]] for (int y = 0; y < 6; ++y) { taps[y] = taps[y + 1]; }
  [[unroll]] for (int x = 0; x < 7; ++x) { taps[6][x] = nearAt(p + ivec2(x - 3, 3), extent); }
}

Sums sumsOfTaps(vec4 centre, float falloff) {
  Sums a = noSums;
  Neighbour above[9] = noRow;
  [[unroll]] for (int y = 0; y < 7; ++y) {
    Neighbour row[9] = noRow;
    [[unroll]] for (int x = 0; x < 7; ++x) {
      row[x + 1] = addNeighbour(a, taps[y][x], weightOf(taps[y][x], ivec2(x, y) - 3, centre, falloff));
    }
    addRow(a, above, row);
  }
  return a;
}

// Of a pixel that is missing.
vec3 colourAround(ivec2 p, ivec2 extent, int rows, vec4 centre, float falloff) {
  vec3 sum = vec3(0.0);
  for (int k = 0; k < 7 * rows; ++k) {
    ivec2 steps = ivec2(k % 7, k / 7) - 3, q = p + steps;
    float w = weightOf(nearAt(q, extent), steps, centre, falloff);
    sum = fma(vec3(w), load_state(clamp(q, ivec2(0), extent - 1)).rgb, sum);
  }
  return sum;
}

void run(Pixel p) {
  ivec2 origin = partOrigin();
  p.position.y = (p.position.y - origin.y) * ROWS + origin.y;
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int last = min(p.position.y + ROWS, p.extent.y) - 1;
  [[dont_unroll]] for (int y = -6; y < 0; ++y) { advance(p.position + ivec2(0, y), p.extent); }
  [[dont_unroll]] for (; p.position.y <= last; ++p.position.y) {
    advance(p.position, p.extent);
    vec4 state = load_state(p.position);
    bool isShort = state.a < 0.0;
    Surface own = unpackSurface(load_geometry(p.position));
    vec4 centre = vec4(own.normal, own.depth);
    float falloff = depthFalloff(own.slope, 1), frames = load_moments(p.position).z;
    Sums a = sumsOfTaps(centre, falloff);
    a.colour = colourAround(p.position, p.extent, isShort && !(frames > 0.0) ? 7 : 0, centre, falloff);
    store_output(p.position, isShort ? spatial(state.rgb, frames, a)
                                     : vec4(state.rgb, blurred(state.a, p, isShort ? 0 : 9)));
  }
}
