struct Centre { int none; };
struct Acc { float sum; };
Centre centre(Tap t, Pixel p) { return Centre(0); }
Acc start(Centre c) { return Acc(0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) { a.sum = fma(o.weight, t.value, a.sum); }
State finish(Acc a, Centre c, Pixel p) { return a.sum; }
