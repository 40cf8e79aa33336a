// A first estimate of green: the pixel's value, plus the difference of green and its colour in the mean
// around. Means of each colour's pixels are by normalised convolution (Knutsson and Westin 1993). State: the
// value and its colour; then green, the value, the colour.
#include "encoded.glsl"

struct Centre { vec4 own; };
struct Acc { vec3 sum; vec3 weight; };

State init(Inputs i, Pixel p) { return vec4(encoded(i.state), float(colourAt_state(p.position)), 0.0, 0.0); }

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec3(0.0), vec3(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  a.sum[int(t.own.y)] += o.weight * t.own.x;
  a.weight[int(t.own.y)] += o.weight;
}

// Pictures of a few pixels may lack a colour.
float mean(Acc a, int colour, float otherwise) {
  return a.weight[colour] > 0.0 ? a.sum[colour] / a.weight[colour] : otherwise;
}

State finish(Acc a, Centre c, Pixel p) {
  int colour = int(c.own.y);
  float above = mean(a, 1, c.own.x) - mean(a, colour, c.own.x);
  return vec4(c.own.x + (colour == 1 ? 0.0 : above), c.own.xy, 0.0);
}
