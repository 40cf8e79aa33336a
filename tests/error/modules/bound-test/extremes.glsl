#include "most.glsl"
Value identity() { return vec2(1e30, -1e30); }
Value map(Inputs i, Pixel p) { return i.input.xy; }
Value combine(Value a, Value b) { return vec2(min(a.x, b.x), max(a.y, b.y)); }
void finish(Value v, uint count, inout Outputs o) { o.low = v.x; o.high = most(v.y); }
