// An unsharp mask on the square root of luminance, which is close to perceived brightness.
#include "shared/colour.glsl"

struct Centre { State own; float light; };
struct Acc { float sum; float weight; float least; float most; };

float weight(int steps) {
  float d = float(steps) / param.radius;
  return exp2(-0.72134752 * d * d);  // exp(-d^2 / 2)
}

float lightOf(Tap t) { return sqrt(max(luminanceOf(t.colour, colour_state), 0.0)); }

// A separate node, so that the input is not computed again for every tap.
State init(Inputs i, Pixel p) { return i.state; }

Centre centre(Tap t, Pixel p) { return Centre(t.colour, lightOf(t)); }
Acc start(Centre c) { return Acc(0.0, 0.0, c.light, c.light); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float light = lightOf(t);
  a.sum = fma(o.weight, light, a.sum);
  a.weight += o.weight;
  if (max(abs(o.steps.x), abs(o.steps.y)) <= 1) {
    a.least = min(a.least, light);
    a.most = max(a.most, light);
  }
}

State finish(Acc a, Centre c, Pixel p) {
  float detail = c.light - a.sum / a.weight;
  float size = detail * detail;
  float kept = size > 0.0 ? size / (size + param.threshold * param.threshold) : 0.0;
  float beyond = param.halo * (a.most - a.least);
  float light = clamp(fma(param.amount * kept, detail, c.light), max(a.least - beyond, 0.0), a.most + beyond);
  vec4 colour = asColour(c.own);
  float scale = c.light > 1e-4 ? light * light / (c.light * c.light) : 1.0;
  State result;
  narrow(vec4(colour.rgb * scale, colour.a), result);
  return result;
}
