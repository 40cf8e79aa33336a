struct Centre { vec4 colour; };
struct Acc { vec4 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.colour); }
Acc start(Centre c) { return Acc(vec4(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) { a.sum = fma(vec4(o.weight), t.colour, a.sum); }
State finish(Acc a, Centre c, Pixel p) { return a.sum; }
State detail(State fine, State coarse, Pixel p) { return 0.5 * (fine - coarse); }
