#include "around.glsl"

State finish(Acc a, Centre c, Pixel p) { return vec4(colourOf(a, c).g, c.own.yz, 0.0); }
