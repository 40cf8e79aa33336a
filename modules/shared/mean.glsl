// The mean of a window by weight. A stencil that includes this has a tap field `value` from its state and, in
// its weights, those of one dimension. Alpha is not a colour: the pixel keeps its own.
#include "shared/colour.glsl"

struct Centre { State own; };
struct Acc { vec4 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.value); }
Acc start(Centre c) { return Acc(vec4(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  a.sum += vec4(o.weight * asColour(t.value).rgb, o.weight);
}

State finish(Acc a, Centre c, Pixel p) {
  State mean;
  narrow(vec4(a.sum.rgb / a.sum.a, asColour(c.own).a), mean);
  return mean;
}
