// A workgroup lists its pixels of short history, so that their taps fill whole subgroups: in most subgroups some
// pixel has one.
#include "deviation.glsl"

const int columns = int(gl_WorkGroupSize.x), threads = columns * int(gl_WorkGroupSize.y);
shared uint shortCount;
shared uint shortPixels[threads];

// Without branches around its loads, so that those of many taps are under way together.
Sums sumsAround(Pixel p, bool needsColour) {
  Surface own = unpackSurface(load_geometry(p.position));
  vec4 centre = vec4(own.normal, own.depth);
  float falloff = depthFalloff(own.slope, 1);
  Sums a = noSums;
  Neighbour above[9] = noRow;
  for (int y = -3; y <= 3; ++y) {
    Neighbour row[9] = noRow;
    for (int x = 1; x < 8; ++x) {
      ivec2 steps = ivec2(x - 4, y), q = p.position + steps;
      Near n = nearAt(q, p.extent);
      float w = weightOf(n, steps, centre, falloff);
      if (needsColour) { a.colour = fma(vec3(w), load_state(clamp(q, ivec2(0), p.extent - 1)).rgb, a.colour); }
      row[x] = addNeighbour(a, n, w);
    }
    addRow(a, above, row);
  }
  return a;
}

vec4 spatialAt(Pixel p) {
  float frames = load_moments(p.position).z;
  return spatial(load_state(p.position).rgb, frames, sumsAround(p, !(frames > 0.0)));
}

void run(Pixel p) {
  if (gl_LocalInvocationIndex == 0u) { shortCount = 0u; }
  barrier();
  if (all(lessThan(p.position, p.extent))) {
    vec4 state = load_state(p.position);
    if (state.a >= 0.0) {
      store_output(p.position, vec4(state.rgb, blurred(state.a, p, 9)));
    } else {
      shortPixels[atomicAdd(shortCount, 1u)] = gl_LocalInvocationIndex;
    }
  }
  barrier();
  Pixel each = p;
  for (uint i = gl_LocalInvocationIndex; i < shortCount; i += uint(threads)) {
    int at = int(shortPixels[i]);
    each.position = p.position - ivec2(gl_LocalInvocationID.xy) + ivec2(at % columns, at / columns);
    store_output(each.position, spatialAt(each));
  }
}
