#include "shared/colour.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = unpremultiplied(i.pixels); }
