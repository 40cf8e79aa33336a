#include "demodulate.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  float largest = param.precision == 0 ? largestHalf : largestFloat;
  o.output = vec4(i.colour.rgb * divisorOf(i.albedo, i.input.rgb, largest), i.input.a);
}
