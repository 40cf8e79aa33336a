// Green where the sensor has none: mostly cubic along the row or the column, whichever changes less. State:
// green so far, the value, the colour.
struct Centre { vec4 own; };
// The two previous taps of a row, and of three columns.
struct Acc { vec2 before; vec3 above; vec3 aboveThat; vec2 change; vec2 cubic; };

const float cubicShare = 0.75;
const float leastChange = 1e-6;

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec2(0.0), vec3(0.0), vec3(0.0), vec2(0.0), vec2(0.0)); }

// A cubic through the two pixels on either side.
float cubicWeight(int steps) { return abs(steps) == 1 ? 0.66666667 : steps == 0 ? 0.0 : -0.16666667; }

// Taps come row by row, from left to right.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float green = t.own.x;
  if (abs(o.steps.y) <= 1) {
    if (o.steps.x >= 0) a.change.x += abs(green - a.before.y);
    a.before = vec2(green, a.before.x);
  }
  if (abs(o.steps.x) <= 1) {
    int k = o.steps.x + 1;
    if (o.steps.y >= 0) a.change.y += abs(green - a.aboveThat[k]);
    a.aboveThat[k] = a.above[k];
    a.above[k] = green;
  }
  if (o.steps.y == 0) a.cubic.x = fma(cubicWeight(o.steps.x), green, a.cubic.x);
  if (o.steps.x == 0) a.cubic.y = fma(cubicWeight(o.steps.y), green, a.cubic.y);
}

State finish(Acc a, Centre c, Pixel p) {
  vec2 w = 1.0 / (a.change * a.change + leastChange);
  float along = dot(w, a.cubic) / (w.x + w.y);
  float green = int(c.own.z) == 1 ? c.own.y : fma(cubicShare, along - c.own.x, c.own.x);
  return vec4(green, c.own.yz, 0.0);
}
