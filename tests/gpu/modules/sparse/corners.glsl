struct Centre { int none; };
struct Acc { float sum, weight; };
Centre centre(Tap t, Pixel p) { return Centre(0); }
Acc start(Centre c) { return Acc(0.0, 0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = exp2(o.log2Weight);
  a.sum = fma(w, t.value, a.sum);
  a.weight += w;
}
State finish(Acc a, Centre c, Pixel p) { return a.sum / max(a.weight, 1.0); }
