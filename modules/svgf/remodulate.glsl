#include "demodulate.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = vec4(i.colour.rgb * divisorOf(i.albedo), i.input.a);
}
