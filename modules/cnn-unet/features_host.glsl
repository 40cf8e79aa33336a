// The network's input for a host node (host_layers.h): a pixel's `channels` floats in a row.

#include "arithmetic.glsl"
#include "features_at.glsl"

void run(Pixel unused) {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, ivec2(width, height)))) { return; }
  float of[16 * blocks];
  featuresAt(at, of);
  for (int i = 0; i < channels; ++i) { array_output.data[(at.y * width + at.x) * channels + i] = of[i]; }
}
