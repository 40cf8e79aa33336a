// Combines row and column: green less the pixel's colour. State: the row's mean and its weight, the column's
// difference and gradients; then green less the pixel's colour, at green 0; the row's share; the colour; the value.
struct Centre { vec2 row; float value; float colour; };
#include "sides.glsl"

const float decision = 1.5;  // power of the weights: above 1, the better direction counts for more

Centre centre(Tap t, Pixel p) { return Centre(t.own.xy, t.first.x, t.first.w); }
void gather(inout Acc a, Centre c, Tap t, Offset o) { add(a, t.own.z, t.own.w, o.steps.y); }

State finish(Acc a, Centre c, Pixel p) {
  vec2 column = meanOfSides(a);
  float share = 1.0 / (1.0 + exp2(decision * (column.y - c.row.y)));
  float difference = fma(share, c.row.x - column.x, column.x);
  return vec4(int(c.colour) == 1 ? 0.0 : difference, share, c.colour, c.value);
}
