// Colours of the last layer's results, which the native code's sumsAt returns.

#include "clean.glsl"
#include "shared/colour.glsl"
#include "transfer.glsl"

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (any(greaterThanEqual(p, extent_input))) { return; }
  vec3 colour = decode(sumsAt(p)) / exposureOf();
  if (demodulates) { colour *= divisorOf(load_albedo(p).rgb); }
  colour = min(colour, 65504.0);  // largest half, as in the clean input
  Inputs i;
  narrow(vec4(colour, asColour(load_input(p)).a), i.input);
  store_output(p, i.input);
}
