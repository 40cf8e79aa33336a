// Both passes in one, for a repeated filter: only its result goes through memory.
#include "weights.glsl"
#include "common/separable.glsl"

const int groupSide = 16;
const int mostRadius = 31;
const int mostCells = (groupSide + 2 * mostRadius) * groupSide;
// By colour: of each row that the workgroup's pixels reach, those in its columns.
shared float rowMeans[3][mostCells];

void setCell(int cell, vec3 mean) {
  rowMeans[0][cell] = mean.r;
  rowMeans[1][cell] = mean.g;
  rowMeans[2][cell] = mean.b;
}

vec3 cellAt(int cell) { return vec3(rowMeans[0][cell], rowMeans[1][cell], rowMeans[2][cell]); }

void fillColumn(Pixel p, ivec2 local) {
  int first = p.position.y - local.y - filterRadius();
  for (int row = local.y; row < groupSide + 2 * filterRadius(); row += groupSide) {
    int y = borderIndex(first + row, p.extent.y, param.border);
    setCell(row * groupSide + local.x, meanAlong(ivec2(p.position.x, y), ivec2(1, 0), p.extent).rgb);
  }
}

vec3 meanOfColumn(Pixel p, ivec2 local) {
  ivec2 taps = borderTaps(p.position.y, p.extent.y, filterRadius(), param.border);
  vec3 sum = vec3(0.0);
  for (int k = taps.x; k <= taps.y; ++k) {
    sum += cellAt((local.y + filterRadius() + k) * groupSide + local.x);
  }
  return sum / float(taps.y - taps.x + 1);
}

void run(Pixel p) {
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  if (p.position.x < p.extent.x) { fillColumn(p, local); }
  barrier();
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Inputs i;
  i.input = load_input(p.position);
  if (!borderKeeps(p.position, p.extent, filterRadius(), param.border)) {
    narrow(vec4(meanOfColumn(p, local), asColour(i.input).a), i.input);
  }
  store_output(p.position, i.input);
}
