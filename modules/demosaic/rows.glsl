// State: differences of row and column, their gradients; then the row's mean and its weight, and the column's
// values unchanged.
struct Centre { vec4 own; };
#include "sides.glsl"

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
void gather(inout Acc a, Centre c, Tap t, Offset o) { add(a, t.own.x, t.own.z, o.steps.x); }
State finish(Acc a, Centre c, Pixel p) { return vec4(meanOfSides(a), c.own.yw); }
