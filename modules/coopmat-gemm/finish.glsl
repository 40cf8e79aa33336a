// alpha times a sum, plus the addends: elements of the output.

#include "sizes.glsl"

float finished(Place at, float sum) {
  float v = ALPHA * sum;
  if (has_c) { v += BETA * float(array_c.data[at.batch * batchC + at.row * columns + at.column]); }
  if (has_bias) { v += float(array_bias.data[at.column]); }
  // Tested by its bits, because compilers may turn a comparison into a maximum, which loses NaN.
  uint bits = floatBitsToUint(v);
  return RELU == 1 && bits > 0x80000000u && bits <= 0xff800000u ? 0.0 : v;
}

bool isInside(Place at) { return at.row < rows && at.column < columns; }
int indexOf(Place at) { return (at.batch * rows + at.row) * columns + at.column; }

void finish(Place at, float sum) {
  if (isInside(at)) { array_output.data[indexOf(at)] = element_output(finished(at, sum)); }
}
