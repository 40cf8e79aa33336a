// Dammertz et al. 2010, with the noise as tolerance.

const float perChroma = 1.0 / 1.2;

struct Centre { vec4 own; vec3 per; };
struct Acc { vec2 chroma; float weight; };

Centre centre(Tap t, Pixel p) { return Centre(t.own, vec3(perChroma, perChroma, 1.0) / t.own.a); }
Acc start(Centre c) { return Acc(vec2(0.0), 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  vec3 d = (t.own.rgb - c.own.rgb) * c.per;
  float w = exp2(fma(-1.44269504, fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)), o.log2Weight));
  a.chroma = fma(vec2(w), t.own.rg, a.chroma);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(a.chroma / a.weight, c.own.ba); }
