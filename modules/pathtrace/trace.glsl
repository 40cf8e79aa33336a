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

// What a half can hold: radiance beyond it is cut off, not infinite.
vec4 colourOf(vec3 light) {
  const int half_ = 0;
  return vec4(param.precision == half_ ? min(light, vec3(65504.0)) : light, 1.0);
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int pixels = p.extent.x * p.extent.y;
  int pixel = p.position.y * p.extent.x + p.position.x;
  if (wanted_histogram) { clearHistogram(pixel, pixels); }
  Lens lens = lensNow();
  Points points = pointsOf(p.position, uint(frame.index) * uint(param.samples), param.seed);
  Seen sum = Seen(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec2(0.0));
  vec2 moments = vec2(0.0);
  for (int i = 0; i < param.samples; ++i) {
    vec2 at = vec2(p.position) + 0.5 + filterOffset(param.filter, pointOf(points, 0u));
    Ray ray = cameraRay(lens, at, p.extent, hasLens ? pointOf(points, 1u) : vec2(0.0));
    Seen seen = followPath(ray, points, param.bounces, param.roulette);
    sum = Seen(sum.direct + seen.direct, sum.indirect + seen.indirect, sum.albedo + seen.albedo,
               sum.normal + seen.normal, sum.rays + seen.rays);
    vec3 light = seen.direct + seen.indirect;
    moments += vec2(luminance(light), squared(luminance(light)));
    if (wanted_histogram) { fillHistogram(pixel, pixels, light); }
    ++points.index;
  }
  float scale = 1.0 / float(param.samples);
  vec3 direct = sum.direct * scale;
  vec3 indirect = sum.indirect * scale;
  store_output(p.position, colourOf(direct + indirect));
  store_direct(p.position, colourOf(direct));
  store_indirect(p.position, colourOf(indirect));
  store_albedo(p.position, sum.albedo * scale);
  store_normal(p.position, sum.normal * scale);
  store_moments(p.position, moments * scale);
  store_rays(p.position, sum.rays * scale);
}
