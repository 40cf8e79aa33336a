#include "shared/colour.glsl"

// Renderers write more than 1, and less than 0.
void apply(Inputs i, inout Outputs o, Pixel p) { o.output = toUnit(i.pixels); }
