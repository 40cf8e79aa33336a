// Green less blue where red is, green less red where blue is, from the pixels around (section 2's 7x7
// filter). Green pixels there have green neighbours, whose differences are 0. State as before: both
// differences, the colour, the value.
struct Centre { vec4 own; };
struct Acc { vec2 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec2(0.0)); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  int steps = abs(o.steps.x) + abs(o.steps.y);  // of odd ones: 2, 4 or 6
  if (steps < 6) a.sum = fma(vec2(steps == 2 ? 0.3125 : -0.03125), t.own.xy, a.sum);
}

State finish(Acc a, Centre c, Pixel p) { return vec4(c.own.xy + a.sum, c.own.zw); }
