// The accumulated colour and moments, and the geometry that the levels read.
#include "svgf/accumulate.glsl"

void run(Pixel p) {
  Past past = pastOf(p, param.cut || array_failed.data[0] > param.cut_share);
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float deviation = deviationOf(past.seen), frames = past.seen.frames;
  store_geometry(p.position, past.geometry);
  store_moments(p.position, vec4(past.seen.mean, deviation, frames, past.id));
  // The colour is a mean of this many frames.
  float ofMean = deviation * inversesqrt(max(frames, 1.0));
  store_state(p.position, vec4(past.seen.colour, frames >= 4.0 ? ofMean : -1.0));
}
