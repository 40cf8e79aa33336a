// Pixels are added to levels, and read between levels, by hats of variance 1/6.
#include "blur.glsl"

#if channels_guide > 0
#define format_edges format_guide
#else
#define format_edges format_input
#endif

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int level = p.position.x % LEVELS;
  float unit = format_edges <= format_u16 ? 255.0 : 1.0;
  float sigma = param.sigma_range * float(LEVELS - 1) / (unit * abs(param.white - param.black));
  blur(p.position, ivec2(1, 0), level, LEVELS - 1 - level, sigma, 1.0 / 3.0);
}
