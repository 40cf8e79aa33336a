#include "shared/colour.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = vec3(toUnit(i.input.a)); }
