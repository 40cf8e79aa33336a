// Green less blue where red is, green less red where blue is: the mean of the four on the diagonals. Each is
// weighted by the inverse square of the changes towards it, of green and of the difference (after Chung and
// Chan 2006). State as before: both differences, the colour, the value.
struct Centre { vec4 own; };
struct Acc { vec4 differences; vec4 greens; };

const float leastChange = 0.02;

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec4(0.0), vec4(0.0)); }

// Taps come row by row, so the last is opposite the first. A pixel of red or blue has one difference so far.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps.x == 0 || o.steps.y == 0) return;
  int k = o.steps.y + 1 + (o.steps.x + 1) / 2;
  a.differences[k] = t.own.x + t.own.y;
  a.greens[k] = t.own.x + t.own.y + t.own.w;
}

State finish(Acc a, Centre c, Pixel p) {
  float green = c.own.x + c.own.y + c.own.w;
  vec4 change = leastChange + abs(a.greens - green) + abs(a.differences - a.differences.wzyx);
  vec4 w = 1.0 / (change * change);
  float other = dot(w, a.differences) / dot(w, vec4(1.0));
  int colour = int(c.own.z);
  return vec4(c.own.xy + vec2(colour == 2 ? other : 0.0, colour == 0 ? other : 0.0), c.own.zw);
}
