// One element of the product for each invocation: Vannson 2023, section 4.3.1 (standard.comp).

#include "finish.glsl"

void run(Pixel pixel) {
  Place at = placeAt(int(gl_GlobalInvocationID.x), int(gl_GlobalInvocationID.y));
  if (!isInside(at)) { return; }
  float sum = 0.0;
  for (int k = 0; k < inner; ++k) {
    sum = fma(float(array_a.data[placeInA(at.batch, at.row, k)]),
              float(array_b.data[placeInB(at.batch, at.column, k)]), sum);
  }
  finish(at, sum);
}
