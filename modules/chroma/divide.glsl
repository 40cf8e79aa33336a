// A pixel as levels filter it: red and blue over luminance, the logarithm of luminance, and which differences
// count as noise.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

const float dark = 0.05;  // of the mean around: smaller luminances are alike
const vec4 unknown = vec4(1.0, 1.0, 1e4, 1e-3);  // unlike all others

vec4 noiseAt(ivec2 block) { return load_noise(clamp(block, ivec2(0), extent_noise - 1)); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 colour = asColour(load_input(p.position)).rgb;
  float luminance = luminanceOf(colour, colour_input);
  Between b = betweenBlocks(p.position);
  vec2 noise = BETWEEN_BLOCKS(noiseAt, b).xy;
  float tolerance = clamp(param.amount * noise.x, 1e-3, 0.12);
  store_state(p.position, luminance > 0.0 && isLight(colour)
                              ? vec4(colour.rb / luminance, log(luminance + dark * noise.y), tolerance)
                              : unknown);
}
