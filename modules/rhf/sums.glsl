// Numbers of samples in the picture and at a coarser scale: each invocation adds up a part.

#include "gaussian.glsl"
#include "shared/finite.glsl"

float samplesAt(int i) {
  float n = at_fine(bins, i);
  return isFinite(n) ? n : 0.0;
}

float coarseSamples(ivec2 x) {
  float v = 0.0;
  float weights = 0.0;
  for (int j = 0; j < taps; ++j) {
    float row = 0.0;
    int y = mirrored(firstTap(x.y) + j, fineHeight) * fineWidth;
    for (int i = 0; i < taps; ++i) {
      row += gaussianWeight(i) * samplesAt(y + mirrored(firstTap(x.x) + i, fineWidth));
    }
    v += gaussianWeight(j) * row;
    weights += gaussianWeight(j);
  }
  return v / (weights * weights);
}

void run(Pixel pixel) {
  int share = pixel.position.x;
  if (share >= shares) { return; }
  float fine = 0.0;
  float coarse = 0.0;
  for (int i = share; i < fineWidth * fineHeight; i += shares) { fine += samplesAt(i); }
  for (int i = share; i < width * height; i += shares) {
    coarse += coarseSamples(ivec2(i % width, i / width));
  }
  array_sums.data[2 * share] = fine;
  array_sums.data[2 * share + 1] = coarse;
}
