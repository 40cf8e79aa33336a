// Green less blue where red is, green less red where blue is, from the pixels around: along a row, then along
// a column, like the filter of section 2, but with its corners. In between, green pixels hold the row's sum;
// the next node doesn't read their differences. State as before: both differences, the colour, the value.
struct Centre { vec4 own; };
struct Acc { vec2 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec2(0.0)); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  bool isNear = abs(o.steps.x) + abs(o.steps.y) == 1;  // else 3
  a.sum = fma(vec2(isNear ? 5.0 / 9.0 : -1.0 / 18.0), t.own.xy, a.sum);
}

State finish(Acc a, Centre c, Pixel p) { return vec4(c.own.xy + a.sum, c.own.zw); }
