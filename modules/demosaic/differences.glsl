// Pekkucuksen and Altunbasak 2010, equations 1 and 2: at every pixel green less the other colour of its row,
// and of its column, by Hamilton and Adams' filter over the line's pixels. State: the value and the
// pixel's colour; then the value, the difference of the row, that of the column, the colour.
#include "encoded.glsl"

struct Centre { vec4 own; };
struct Acc { float row; float column; };

State init(Inputs i, Pixel p) {
  return vec4(encoded(i.state), float(colourAt_state(p.position)), 0.0, 0.0);
}

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(0.0, 0.0); }

float filterOf(int steps) { return abs(steps) == 2 ? -0.25 : 0.5; }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps.y == 0) a.row = fma(filterOf(o.steps.x), t.own.x, a.row);
  if (o.steps.x == 0) a.column = fma(filterOf(o.steps.y), t.own.x, a.column);
}

State finish(Acc a, Centre c, Pixel p) {
  float sign = int(c.own.y) == 1 ? 1.0 : -1.0;
  return vec4(c.own.x, sign * (c.own.x - a.row), sign * (c.own.x - a.column), c.own.y);
}
