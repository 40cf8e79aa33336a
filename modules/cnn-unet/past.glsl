// A pixel's history: the accumulated colour, by svgf's code with the settings of the weights file, and the
// last output at the same surface, unchanged and relit (its light on this frame's albedo). Colours are on the
// network's curve.

#include "clean.glsl"
#include "svgf/accumulate.glsl"
#include "transfer.glsl"

vec3 halvesOf(vec3 v) {
  return vec3(unpackHalf2x16(packHalf2x16(v.xy)), unpackHalf2x16(packHalf2x16(vec2(v.z, 0.0))).x);
}
vec3 encoded(vec3 colour) { return encode(exposureOf() * colour); }

// The possible relative error of the mean; 1 if unknown.
float doubtOf(Seen seen) {
  float exposure = exposureOf(), deviation = deviationOf(seen) * inversesqrt(max(seen.frames, 1.0));
  return seen.frames < 2.0
             ? 1.0
             : clamp(deviation * exposure / (max(seen.mean, 0.0) * exposure + 1e-3) / 4.0, 0.0, 1.0);
}

void storeLast(Pixel p, Past past, vec3 divisor) {
  vec3 last = vec3(0.0), light = vec3(0.0);
  for (int k = 0; k < 4; ++k) {
    if (past.taps.weights[k] > 0.0) {
      ivec2 at = tapPosition(past.taps.base, k, p.extent);
      vec3 colour = past.taps.weights[k] * cleanColour(load_last(at).rgb);
      last += colour;
      light += colour / load_last_divisor(at);
    }
  }
  store_warped(p.position, vec4(encoded(last), past.taps.found ? 1.0 : 0.0));
  store_relit(p.position, vec4(encoded(light * divisor), 1.0 / max(past.seen.frames, 1.0)));
}

void run(Pixel p) {
  Past past = pastOf(p, param.cut || array_failed.data[0] > HISTORY.cut_share);
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 divisor = halvesOf(divisorOf(load_albedo(p.position).rgb));  // as the next frame reads it
  store_geometry(p.position, past.geometry);
  store_moments(p.position, vec4(past.seen.mean, deviationOf(past.seen), past.seen.frames, past.id));
  store_state(p.position, vec4(past.seen.colour, 0.0));
  store_divisor(p.position, divisor);
  store_accumulated(p.position, vec4(encoded(max(past.seen.colour, 0.0) * divisor), doubtOf(past.seen)));
  storeLast(p, past, divisor);
}
