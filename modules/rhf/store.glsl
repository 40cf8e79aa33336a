// The filtered colour of a pixel; alpha is untouched.

#include "colours.glsl"

void store(ivec2 x, vec3 colour) {
  Inputs i;
  narrow(vec4(colour, colourAt(x).a), i.input);
  store_output(x, i.input);
}
