// Histograms of a coarser scale; numbers that aren't finite count as 0. All histograms are scaled equally, so
// that the picture keeps its number of samples. An invocation takes ROWS pixels below each other, whose rows
// of taps overlap.

#extension GL_EXT_control_flow_attributes : enable
#include "histogram.glsl"
#include "gaussian.glsl"
#include "shared/finite.glsl"

float fineAt(int plane, int i) {
  float v = at_fine(plane, i);
  return isFinite(v) ? v : 0.0;
}

#define ROWS 4
const int fineRows = taps + (ROWS - 1) * STEP;

struct Taps {
  float weights[taps];
  int across[taps];
  int down[fineRows];
};

Taps tapsOf(ivec2 x) {
  Taps t;
  float sum = 0.0;
  [[unroll]] for (int i = 0; i < taps; ++i) {
    t.weights[i] = gaussianWeight(i);
    t.across[i] = mirrored(firstTap(x.x) + i, fineWidth);
    sum += t.weights[i];
  }
  [[unroll]] for (int i = 0; i < taps; ++i) { t.weights[i] /= sum; }
  [[unroll]] for (int r = 0; r < fineRows; ++r) {
    t.down[r] = mirrored(firstTap(x.y) + r, fineHeight) * fineWidth;
  }
  return t;
}

void run(Pixel pixel) {
  ivec2 x = pixel.position * ivec2(1, ROWS);
  if (any(greaterThanEqual(x, ivec2(width, height)))) { return; }
  Taps t = tapsOf(x);
  float factor = array_factor.data[0];
  for (int plane = 0; plane <= bins; ++plane) {
    float sums[ROWS];
    [[unroll]] for (int j = 0; j < ROWS; ++j) { sums[j] = 0.0; }
    [[unroll]] for (int r = 0; r < fineRows; ++r) {
      float row = 0.0;
      [[unroll]] for (int i = 0; i < taps; ++i) {
        row += t.weights[i] * fineAt(plane, t.down[r] + t.across[i]);
      }
      [[unroll]] for (int j = 0; j < ROWS; ++j) {
        int tap = r - j * STEP;
        if (tap >= 0 && tap < taps) { sums[j] += t.weights[tap] * row; }
      }
    }
    [[unroll]] for (int j = 0; j < ROWS; ++j) {
      if (x.y + j < height) { at_histogram(plane, (x.y + j) * width + x.x) = factor * sums[j]; }
    }
  }
}
