// The mean of 1 / depth.

#include "clean.glsl"

float identity() { return 0.0; }
float map(Inputs i, Pixel p) { return cleanNearness(i.depth); }
float combine(float a, float b) { return a + b; }
void finish(float v, uint count, inout Outputs o) { o.nearness = v / float(count); }
