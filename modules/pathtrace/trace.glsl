// Samples of a pixel, and their means.

#include "scene.glsl"
#include "intersect.glsl"
#include "traverse.glsl"
#include "surface.glsl"
#include "scatter.glsl"
#include "lights.glsl"
#include "sampler.glsl"
#include "camera.glsl"
#include "path.glsl"
#include "histogram.glsl"

// Largest half: radiance beyond it is clipped, not infinite.
vec4 colourOf(vec3 light) {
  const int half_ = 0;
  return vec4(param.precision == half_ ? min(light, vec3(65504.0)) : light, 1.0);
}

struct Sums {
  Seen seen;
  vec2 moments;
  int samples;
};

void add(inout Sums sums, Seen seen, int pixel) {
  vec3 light = seen.direct + seen.indirect;
  sums.seen =
      Seen(sums.seen.direct + seen.direct, sums.seen.indirect + seen.indirect, sums.seen.albedo + seen.albedo,
           sums.seen.normal + seen.normal, sums.seen.rays + seen.rays);
  sums.moments += vec2(luminance(light), squared(luminance(light)));
  ++sums.samples;
  if (wanted_histogram) { fillHistogram(pixel, light); }
}

// Mesa's CPU device ends all loops of an invocation after 65535 rounds, without an error. The current sample
// is then wrong and is omitted: a sample counts when the next one begins, and the last one if no loop was cut
// short.
Sums samplesOf(ivec2 position, ivec2 extent, int pixel) {
  Lens lens = lensNow();
  Points points = pointsOf(position, uint(frame.index) * uint(param.samples), param.seed);
  const Seen nothing = Seen(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec2(0.0));
  Sums sums = Sums(nothing, vec2(0.0), 0);
  Seen seen = nothing;
  int begun = 0;
  for (; begun < param.samples; ++begun) {
    if (begun > 0) { add(sums, seen, pixel); }
    vec2 at = vec2(position) + 0.5 + filterOffset(param.filter, pointOf(points, 0u));
    Ray ray = cameraRay(lens, at, extent, hasLens ? pointOf(points, 1u) : vec2(0.0));
    seen = followPath(ray, points, param.bounces, param.roulette);
    ++points.index;
  }
  if (begun == param.samples) { add(sums, seen, pixel); }
  return sums;
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int pixel = p.position.y * p.extent.x + p.position.x;
  if (wanted_histogram) { clearHistogram(pixel); }
  Sums sums = samplesOf(p.position, p.extent, pixel);
  float scale = 1.0 / float(max(sums.samples, 1));
  vec3 direct = sums.seen.direct * scale;
  vec3 indirect = sums.seen.indirect * scale;
  store_output(p.position, colourOf(direct + indirect));
  store_direct(p.position, colourOf(direct));
  store_indirect(p.position, colourOf(indirect));
  store_albedo(p.position, sums.seen.albedo * scale);
  store_normal(p.position, sums.seen.normal * scale);
  store_moments(p.position, sums.moments * scale);
  store_rays(p.position, sums.seen.rays * scale);
}
