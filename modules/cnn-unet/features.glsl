// The network's input: 16 channels of each pixel, of a size that is extended by the last column and row.

#include "clean.glsl"
#include "transfer.glsl"

vec3 colourAt(ivec2 p) {
  vec3 colour = exposureOf() * cleanColour(load_input(p).rgb);
  return encode(demodulates ? colour / divisorOf(load_albedo(p).rgb) : colour);
}
vec3 albedoAt(ivec2 p) { return cleanAlbedo(load_albedo(p).rgb); }
vec3 normalAt(ivec2 p) { return cleanNormal(load_normal(p)); }
#if channels_depth > 0
float depthAt(ivec2 p) {
  float near = cleanNearness(load_depth(p));
  float mean = array_nearness.data[0];
  return near > 0.0 ? mean / (mean + near) : 1.0;
}
#endif

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= width || at.y >= height) { return; }
  float v[16];
  ivec2 p = min(at, extent_input - 1);
  FILL
  int place = 2 * (at.y * width + at.x);
  for (int i = 0; i < 2; ++i) {
    quads_output.data[place + i] =
        uvec4(packHalf2x16(vec2(v[8 * i], v[8 * i + 1])), packHalf2x16(vec2(v[8 * i + 2], v[8 * i + 3])),
              packHalf2x16(vec2(v[8 * i + 4], v[8 * i + 5])), packHalf2x16(vec2(v[8 * i + 6], v[8 * i + 7])));
  }
}
