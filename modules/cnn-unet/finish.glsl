// Colours of what the last layer computed, as sumsAt gives it, which is the native code's.

#include "clean.glsl"
#include "shared/colour.glsl"
#include "transfer.glsl"

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (any(greaterThanEqual(p, extent_input))) { return; }
  vec3 colour = decode(sumsAt(p)) / exposureOf();
  if (demodulates) { colour *= divisorOf(load_albedo(p).rgb); }
  colour = min(colour, 65504.0);  // what a half holds, as in the clean input
  Inputs i;
  narrow(vec4(colour, asColour(load_input(p)).a), i.input);
  store_output(p, i.input);
}
