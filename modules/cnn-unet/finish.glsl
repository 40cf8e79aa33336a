// What the last layer computed, as a colour of the picture.

#include "clean.glsl"
#include "shared/colour.glsl"
#include "transfer.glsl"

void finish(ivec2 p, vec3 v) {
  if (any(greaterThanEqual(p, extent_input))) { return; }
  vec3 colour = decode(v) / exposureOf();
  if (demodulates) { colour *= divisorOf(load_albedo(p).rgb); }
  colour = min(colour, 65504.0);  // what a half holds, as in the clean input
  Inputs i;
  narrow(vec4(colour, asColour(load_input(p)).a), i.input);
  store_output(p, i.input);
}
