// The median has the least sum of absolute differences: means weighted by one over the difference approach it
// (Weiszfeld 1937).
struct Centre { vec4 median; vec3 guide; };
struct Acc { vec3 sum; vec3 weight; };

float weight(int steps) { return exp2(-float(steps * steps) / float(param.radius * param.radius)); }

Centre centre(Tap t, Pixel p) { return Centre(t.median, t.guide.rgb); }
Acc start(Centre c) { return Acc(vec3(0.0), vec3(0.0)); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  vec3 d = (t.guide.rgb - c.guide) / param.edge;
  float near = o.weight * exp2(-fma(d.r, d.r, fma(d.g, d.g, d.b * d.b)));
  vec3 w = near / max(abs(t.value.rgb - c.median.rgb), 0.001);
  a.sum = fma(w, t.value.rgb, a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(a.sum / a.weight, c.median.a); }
