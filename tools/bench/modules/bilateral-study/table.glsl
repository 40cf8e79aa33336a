// Range weights from a table in shared memory, for 8-bit levels (Larsson 2015, section 7.1, which saw 250% in
// a first test and did not follow it up), with register blocking. The table holds results of exp2, so the
// filter's result is the same.

#define OWN_TAP_WEIGHT
#include "bilateral.glsl"
#include "register_rows.glsl"

#define ENTRIES 766  // differences of levels; the largest is a sum of three

shared float weightOf[ENTRIES];

float tabled(float d) { return weightOf[int(abs(d))]; }
#include "tabled.glsl"

void run(Pixel p) {
  float k = falloff();
  for (int i = int(gl_LocalInvocationIndex); i < ENTRIES; i += int(gl_WorkGroupSize.x * gl_WorkGroupSize.y)) {
    float d = float(i);
    weightOf[i] = exp2(d * d * k);
  }
  barrier();
  filterRows(p);
}
