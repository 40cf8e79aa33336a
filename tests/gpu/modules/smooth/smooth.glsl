struct Centre { float side; };
struct Acc { float sum; float weight; };

State init(Inputs i, Pixel p) { return dot(i.state.rgb, vec3(0.25, 0.5, 0.25)); }
void load(inout Tap t, Sample s) { t.side = has_guide && s.guide < 0.0 ? 1.0 : 0.0; }
Centre centre(Tap t, Pixel p) { return Centre(t.side); }
Acc start(Centre c) { return Acc(0.0, 0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = t.side == c.side ? o.weight : 0.0;
  a.sum = fma(w, t.sample, a.sum);
  a.weight += w;
}
State finish(Acc a, Centre c, Pixel p) { return param.gains[p.level] * a.sum / a.weight; }
void output(State s, inout Outputs o, Pixel p) {
  o.output = vec4(s, float(p.level + 1), 0.5 * s, float(p.dilation));
}
