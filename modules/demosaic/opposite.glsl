// Green less blue where red is, green less red where blue is: the mean of the four on the diagonals. Each is
// weighted by the inverse square of the changes towards it, of green and of the difference (after Chung and
// Chan 2006). State: green less the colour, the independence, the colour, the value; then, but at green, both
// differences, the colour, the value.
struct Centre { vec4 own; };
struct Acc { vec4 differences; vec4 greens; };

const float leastChange = 0.02;

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec4(0.0), vec4(0.0)); }

// Taps come row by row, so the last is opposite the first.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps.x == 0 || o.steps.y == 0) return;
  int k = o.steps.y + 1 + (o.steps.x + 1) / 2;
  a.differences[k] = t.own.x;
  a.greens[k] = t.own.x + t.own.w;
}

// What independent colours keep is their value, not the difference to green.
State finish(Acc a, Centre c, Pixel p) {
  float green = c.own.x + c.own.w;
  vec4 change = leastChange + abs(a.greens - green) + abs(a.differences - a.differences.wzyx);
  vec4 w = 1.0 / (change * change);
  w /= dot(w, vec4(1.0));
  float other = dot(w, a.differences) + c.own.y * (green - dot(w, a.greens));
  int colour = int(c.own.z);
  return vec4(colour == 2 ? other : c.own.x, colour == 2 ? c.own.x : colour == 0 ? other : c.own.y, c.own.zw);
}
