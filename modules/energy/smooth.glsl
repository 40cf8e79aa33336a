struct Centre { float own; };
struct Acc { float sum; float weight; };

Centre centre(Tap t, Pixel p) { return Centre(t.ratio); }
Acc start(Centre c) { return Acc(0.0, 0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  a.sum = fma(o.weight, t.ratio, a.sum);
  a.weight += o.weight;
}
State finish(Acc a, Centre c, Pixel p) { return a.sum / a.weight; }
