struct Centre { ivec2 position; };
struct Acc { float sum; };

Centre centre(Tap t, Pixel p) { return Centre(p.position); }
Acc start(Centre c) { return Acc(0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (colourAt_state(c.position + o.pixels) == 0) { a.sum = fma(o.weight, t.value, a.sum); }
}
State finish(Acc a, Centre c, Pixel p) { return a.sum; }
