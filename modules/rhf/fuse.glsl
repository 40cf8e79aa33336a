// The mean of similar patches, put in each pixel's place; where patches overlap, their mean: Delbracio et al. 2014, section 3.

#include "histogram.glsl"
#include "shared/finite.glsl"

const int side = 2 * SEARCH + 1;
const int patchSide = 2 * PATCH + 1;

// The patch of p covers the pixel in its middle, and those around that the image has room for.
bool covers(ivec2 p, ivec2 k) { return contains(p) && max(abs(k.x), abs(k.y)) <= roomAt(p); }

float countAt(int index) {
  int count = 0;
  for (int i = 0; i < side; ++i) { count += bitCount(at_masks(i, index)); }
  return float(count);
}

// Colours that aren't numbers weigh nothing.
float weightOf(vec4 v) { return isFinite(v) ? v.a : 0.0; }

#define load load_input

// Patch after patch, each by the weights of its own colours.
vec3 fusedByWeight(ivec2 x, vec3 otherwise) {
  vec3 sum = vec3(0.0);
  float patches = 0.0;
  for (int j = -PATCH; j <= PATCH; ++j) {
    for (int i = -PATCH; i <= PATCH; ++i) {
      ivec2 p = x - ivec2(i, j);
      if (!covers(p, ivec2(i, j))) { continue; }
      vec4 mean = vec4(0.0);
      for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
        uint column = at_masks(dx + SEARCH, p.y * width + p.x);
        while (column != 0u) {
          int bit = findLSB(column);
          column &= column - 1u;
          vec4 v = load(x + ivec2(dx, bit - SEARCH));
          float w = weightOf(v);
          if (w != 0.0) { mean += vec4(v.rgb * w, w); }
        }
      }
      if (mean.a != 0.0) {
        sum += mean.rgb / mean.a;
        patches += 1.0;
      }
    }
  }
  return patches > 0.0 ? sum / patches : otherwise;
}

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, ivec2(width, height)))) { return; }
  vec4 own = load(x);
  float share[patchSide * patchSide];
  float patches = 0.0;
  for (int j = -PATCH; j <= PATCH; ++j) {
    for (int i = -PATCH; i <= PATCH; ++i) {
      ivec2 p = x - ivec2(i, j);
      bool counts = covers(p, ivec2(i, j));
      share[(j + PATCH) * patchSide + i + PATCH] = counts ? 1.0 / countAt(p.y * width + p.x) : 0.0;
      patches += counts ? 1.0 : 0.0;
    }
  }
  vec3 sum = vec3(0.0);
  bool alike = true;
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    uint columns[patchSide * patchSide];
    uint any_ = 0u;
    for (int j = -PATCH; j <= PATCH; ++j) {
      for (int i = -PATCH; i <= PATCH; ++i) {
        int k = (j + PATCH) * patchSide + i + PATCH;
        ivec2 p = clamp(x - ivec2(i, j), ivec2(0), ivec2(width, height) - 1);
        columns[k] = share[k] > 0.0 ? at_masks(dx + SEARCH, p.y * width + p.x) : 0u;
        any_ |= columns[k];
      }
    }
    while (any_ != 0u) {
      int bit = findLSB(any_);
      any_ &= any_ - 1u;
      float w = 0.0;
      for (int k = 0; k < patchSide * patchSide; ++k) { w += (columns[k] >> bit & 1u) != 0u ? share[k] : 0.0; }
      vec4 v = load(x + ivec2(dx, bit - SEARCH));
      alike = alike && weightOf(v) == 1.0;
      sum = fma(vec3(w), v.rgb, sum);
    }
  }
  store_output(x, vec4(alike ? sum / patches : fusedByWeight(x, own.rgb), own.a));
}
