struct Centre { vec4 colour; float y; };
struct Acc { vec3 sum; float weight; };

void load(inout Tap t, Sample s) { t.y = s.state.g; }
Centre centre(Tap t, Pixel p) { return Centre(t.colour, t.y); }
Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float d = (t.y - c.y) / param.edge;
  float w = exp2(o.log2Weight - d * d);
  a.sum = fma(vec3(w), t.colour.rgb, a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) {
  return vec4(a.sum / a.weight, c.colour.a);
}
