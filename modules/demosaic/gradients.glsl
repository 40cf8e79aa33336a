// Equation 5's gradients: of a row's differences along the row and a column's along the column, summed over
// three lines. State: the value and both differences; then the differences and the sums.
struct Centre { vec2 differences; };
struct Acc { float left; vec3 above; vec2 sum; };

Centre centre(Tap t, Pixel p) { return Centre(t.own.yz); }
Acc start(Centre c) { return Acc(0.0, vec3(0.0), vec2(0.0)); }

// Taps come row by row, from left to right.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps.x == -1) a.left = t.own.y;
  if (o.steps.x == 1) a.sum.x += abs(a.left - t.own.y);
  if (o.steps.y == -1) a.above[o.steps.x + 1] = t.own.z;
  if (o.steps.y == 1) a.sum.y += abs(a.above[o.steps.x + 1] - t.own.z);
}

State finish(Acc a, Centre c, Pixel p) { return vec4(c.differences, a.sum); }
