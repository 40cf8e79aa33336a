// A pixel's place in the previous frame: its 2x2 pixels there, each tested on depth, normal and id (Schied et
// al. 2017, section 4.1). The including body defines `before`: the previous frame's value at a pixel inside
// the image.
#include "shared/surface.glsl"

struct Before {
  Surface surface;
  float id;
  bool counts;  // false if the pixel has no history
};
Before before(ivec2 position);

struct Reprojection {
  ivec2 base;
  // Of base + (0, 0), (1, 0), (0, 1), (1, 1); they add up to 1, or are all 0 where there is no history.
  vec4 weights;
  bool found;
};
const Reprojection noHistory = Reprojection(ivec2(0), vec4(0.0), false);

ivec2 tapPosition(ivec2 base, int k, ivec2 extent) {
  return clamp(base + ivec2(k & 1, k >> 1), ivec2(0), extent - 1);
}

// previous: the place in the previous frame, in pixels, may have any value. now, id: the pixel's in this
// frame.
Reprojection reprojectTo(vec2 previous, Surface now, float id, Tolerance tolerance, ivec2 extent) {
  Reprojection r = noHistory;
  // A comparison with NaN is false.
  bool near = all(greaterThan(previous, vec2(-1.0))) && all(lessThan(previous, vec2(extent)));
  if (frame.first || !near) { return r; }
  vec2 corner = floor(previous);
  vec2 f = previous - corner;
  r.base = ivec2(corner);
  vec4 bilinear = vec4((1.0 - f.x) * (1.0 - f.y), f.x * (1.0 - f.y), (1.0 - f.x) * f.y, f.x * f.y);
  for (int k = 0; k < 4; ++k) {
    ivec2 at = tapPosition(r.base, k, extent);
    if (bilinear[k] > 0.0 && at == r.base + ivec2(k & 1, k >> 1)) {
      Before b = before(at);
      bool valid = b.counts && b.id == id && isSameSurface(now, b.surface, tolerance);
      r.weights[k] = valid ? bilinear[k] : 0.0;
    }
  }
  float total = r.weights.x + r.weights.y + r.weights.z + r.weights.w;
  r.found = total > 0.01;
  r.weights = r.found ? r.weights / total : vec4(0.0);
  return r;
}

// Number of frames, from the mean length of the taps. Halves, which are common, are not ties.
float wholeLength(float mean) { return floor(mean + 0.513); }
