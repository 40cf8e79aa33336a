#include "encoded.glsl"
#include "around.glsl"

State finish(Acc a, Centre c, Pixel p) { return vec4(decoded(colourOf(a, c)), 1.0); }
