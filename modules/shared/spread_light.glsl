// Where a cell has no colour of its own, that around it: by normalised convolution (Knutsson and Westin 1993), from
// scale to scale. State: shares and weight.
const float sure = 0.05;  // weight from which a cell keeps its own colour

struct Centre { vec4 own; };
struct Acc { vec4 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec4(0.0)); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = o.weight * t.own.w;
  a.sum += w * vec4(t.own.xyz, 1.0);
}

State finish(Acc a, Centre c, Pixel p) {
  vec3 around = a.sum.w > 0.0 ? a.sum.xyz / a.sum.w : c.own.xyz;
  return vec4(mix(around, c.own.xyz, min(c.own.w / sure, 1.0)), max(c.own.w, a.sum.w));
}
