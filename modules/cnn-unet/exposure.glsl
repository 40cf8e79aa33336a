// By what colours are multiplied: `key` divided by the geometric mean of the blocks that are lit.

vec2 identity() { return vec2(0.0); }
vec2 map(Inputs i, Pixel p) { return i.mean > least ? vec2(log(i.mean), 1.0) : vec2(0.0); }
vec2 combine(vec2 a, vec2 b) { return a + b; }
void finish(vec2 v, uint count, inout Outputs o) { o.exposure = v.y > 0.0 ? key / exp(v.x / v.y) : 1.0; }
