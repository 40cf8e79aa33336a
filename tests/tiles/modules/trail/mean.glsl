#include "shared/finite.glsl"

Value identity() { return 0.0; }
Value map(Inputs i, Pixel p) { return isFinite(i.last.r) ? i.last.r * (1.0 + float(p.position.x % 3)) : 0.0; }
Value combine(Value a, Value b) { return a + b; }
void finish(Value v, uint count, inout Outputs o) { o.output = v / float(count); }
