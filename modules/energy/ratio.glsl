// How much brighter the noisy picture is around a block.

struct Centre { vec2 own; };
struct Acc { vec2 light; };

Centre centre(Tap t, Pixel p) { return Centre(t.light); }
Acc start(Centre c) { return Acc(vec2(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) { a.light = fma(vec2(o.weight), t.light, a.light); }

// Both sums lack the same weights at the border.
State finish(Acc a, Centre c, Pixel p) { return a.light; }

void output(State s, inout Outputs o, Pixel p) {
  float ratio = s.y > 0.0 ? s.x / s.y : 1.0;
  o.ratio = clamp(ratio, 1.0 - param.limit, 1.0 + param.limit);
}
