// At green pixels, the differences to red and blue are means of the four around, weighted as in opposite.glsl.
// State: differences (at green 0, and the independence), colour, value.
#include "encoded.glsl"

struct Centre { vec4 own; };
struct Acc { vec4 red; vec4 blue; vec4 greens; };

const float leastChange = 0.02;

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec4(0.0), vec4(0.0), vec4(0.0)); }

// Above, left, right, below.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps == ivec2(0)) return;
  int k = o.steps.y == 0 ? (o.steps.x + 3) / 2 : 3 * (o.steps.y + 1) / 2;
  int colour = int(t.own.z);
  vec2 d = colour == 1 ? vec2(0.0) : t.own.xy;  // a single row or column mirrors itself
  a.red[k] = d.x;
  a.blue[k] = d.y;
  a.greens[k] = t.own.w + (colour == 0 ? d.x : d.y);
}

State finish(Acc a, Centre c, Pixel p) {
  int colour = int(c.own.z);
  vec4 change = leastChange + abs(a.greens - c.own.w) + 0.5 * (abs(a.red - a.red.wzyx) + abs(a.blue - a.blue.wzyx));
  vec4 w = 1.0 / (change * change);
  w /= dot(w, vec4(1.0));
  vec2 around = vec2(dot(w, a.red), dot(w, a.blue)) + c.own.y * (c.own.w - dot(w, a.greens));
  vec2 d = colour == 1 ? around : c.own.xy;
  float green = c.own.w + (colour == 1 ? 0.0 : colour == 0 ? d.x : d.y);
  return vec4(decoded(vec3(green - d.x, green, green - d.y)), 1.0);
}
