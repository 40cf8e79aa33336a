float identity() { return 0.0; }
float map(Inputs i, Pixel p) { return i.mask; }
float combine(float a, float b) { return a + b; }
void finish(float v, uint count, inout Outputs o) { o.failed = v / float(count); }
