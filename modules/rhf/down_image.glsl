// Colours of a coarser scale. Colours that aren't numbers have no weight.

#include "gaussian.glsl"
#include "shared/colour.glsl"
#include "shared/finite.glsl"

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, pixel.extent))) { return; }
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int j = 0; j < taps; ++j) {
    vec4 row = vec4(0.0);
    float rowWeights = 0.0;
    for (int i = 0; i < taps; ++i) {
      vec4 v = asColour(load_input(
          ivec2(mirrored(firstTap(x.x) + i, extent_input.x), mirrored(firstTap(x.y) + j, extent_input.y))));
      if (isFinite(v)) {
        row += gaussianWeight(i) * v;
        rowWeights += gaussianWeight(i);
      }
    }
    sum += gaussianWeight(j) * row;
    weights += gaussianWeight(j) * rowWeights;
  }
  vec4 v = sum / weights;
#ifdef DIFFERENCE
  v = asColour(load_coarse(x)) - v;
#endif
  Inputs i;
  narrow(v, i.input);
  store_output(x, i.input);
}
