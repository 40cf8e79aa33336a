struct Centre { vec4 colour; float luma; float stops; };
struct Acc { vec3 chroma; float weight; };

float luma(vec3 c) { return fma(c.r, 0.2126, fma(c.g, 0.7152, c.b * 0.0722)); }
float stops(float luma) { return log2(max(luma, 1e-4)); }

Centre centre(Tap t, Pixel p) {
  float l = luma(t.colour.rgb);
  return Centre(t.colour, l, stops(l));
}

Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float l = luma(t.colour.rgb);
  float d = (stops(l) - c.stops) / param.edge;
  float w = exp2(fma(-d, d, o.log2Weight));
  a.chroma = fma(vec3(w), t.colour.rgb - l, a.chroma);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(c.luma + a.chroma / a.weight, c.colour.a); }
