struct Centre { vec4 colour; float place; };
struct Acc { vec4 sum; float weight; };

float placeOf(Pixel p) {
  return float((p.position.x + 3 * p.position.y) % 11) / float(p.extent.x + p.extent.y);
}

State init(Inputs i, Pixel p) { return i.state * (1.0 + placeOf(p)); }
Centre centre(Tap t, Pixel p) { return Centre(t.colour, placeOf(p)); }
Acc start(Centre c) { return Acc(vec4(c.place), 1e-3); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = abs(t.colour.r - c.colour.r) < 0.4 ? o.weight : 0.1 * o.weight;
  a.sum = fma(vec4(w), t.colour, a.sum);
  a.weight += w;
}
State finish(Acc a, Centre c, Pixel p) { return a.sum / a.weight + 0.01 * placeOf(p); }
State detail(State fine, State coarse, Pixel p) { return (fine - coarse) * (0.5 + placeOf(p)); }
void output(State s, inout Outputs o, Pixel p) { o.output = s + placeOf(p); }
