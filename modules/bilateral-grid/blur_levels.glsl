// Pixels are added to levels, and read between levels, by hats of variance 1/6.
#include "blur.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int level = p.position.x % LEVELS;
  float sigma = param.sigma_range * float(LEVELS - 1) / (255.0 * abs(param.white - param.black));
  blur(p.position, ivec2(1, 0), level, LEVELS - 1 - level, sigma, 1.0 / 3.0);
}
