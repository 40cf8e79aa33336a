struct Centre { vec4 colour; vec4 last; };
struct Acc { vec4 sum; float weight; };

Centre centre(Tap t, Pixel p) { return Centre(t.colour, t.last); }
Acc start(Centre c) { return Acc(vec4(0.0), 1e-3); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = abs(t.last.r - c.last.r) < 0.05 ? o.weight : 0.1 * o.weight;
  a.sum = fma(vec4(w), t.colour, a.sum);
  a.weight += w;
}
State finish(Acc a, Centre c, Pixel p) { return a.sum / a.weight + 0.01 * c.last; }
State detail(State fine, State coarse, Pixel p) { return 0.5 * (fine - coarse); }
