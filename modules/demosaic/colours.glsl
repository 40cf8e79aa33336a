// At green pixels, the differences to red and blue are means of the four around. State: differences, colour,
// value.
#include "encoded.glsl"

struct Centre { vec4 own; };
struct Acc { vec2 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec2(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps != ivec2(0)) a.sum += t.own.xy;
}

State finish(Acc a, Centre c, Pixel p) {
  int colour = int(c.own.z);
  vec2 d = colour == 1 ? 0.25 * a.sum : c.own.xy;
  float green = c.own.w + (colour == 1 ? 0.0 : colour == 0 ? d.x : d.y);
  return vec4(decoded(vec3(green - d.x, green, green - d.y)), 1.0);
}
