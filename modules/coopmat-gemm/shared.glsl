// Tiles of 16x16 through shared memory: Vannson 2023, section 4.3.2 (shared.comp). Tiles of b lie there
// transposed. We differ: each row has a word of padding, and floats are used, because most devices compute
// with them.

#include "finish.glsl"

shared float tileA[16 * 17];
shared float tileB[16 * 17];

void run(Pixel pixel) {
  int x = int(gl_LocalInvocationID.x);
  int y = int(gl_LocalInvocationID.y);
  Place first = placeAt(int(gl_WorkGroupID.x) * 16, int(gl_WorkGroupID.y) * 16);
  // Neighbours load neighbours in memory.
  int lineA = layoutA == byDepth ? x : y, depthA = layoutA == byDepth ? y : x;
  int lineB = layoutB == byDepth ? x : y, depthB = layoutB == byDepth ? y : x;
  int row = min(first.row, rows16 - 16) + lineA;
  float sum = 0.0;
  for (int k = 0; k < inner16; k += 16) {
    tileA[lineA * 17 + depthA] = float(array_a.data[placeInA(first.batch, row, k + depthA)]);
    tileB[lineB * 17 + depthB] = float(array_b.data[placeInB(first.batch, first.column + lineB, k + depthB)]);
    barrier();
    for (int i = 0; i < 16; ++i) { sum = fma(tileA[y * 17 + i], tileB[x * 17 + i], sum); }
    barrier();
  }
  finish(Place(first.batch, first.row + y, first.column + x), sum);
}
