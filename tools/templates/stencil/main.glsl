// An à-trous chain: 25 taps a level, 1, 2, 4, ... pixels apart. All schedules give the same result.

struct Centre { vec4 colour; };            // a pixel's own data
struct Acc { vec3 sum; float weight; };    // what is summed

Centre centre(Tap t, Pixel p) { return Centre(t.colour); }
Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

// One tap. Outside the image its log2Weight is about -1e30, so multiply everything that is added by the
// weight.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  vec3 d = (t.colour.rgb - c.colour.rgb) / param.edge;
  float w = exp2(o.log2Weight - dot(d, d));
  a.sum = fma(vec3(w), t.colour.rgb, a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(a.sum / a.weight, c.colour.a); }
