// Range weights from a table in shared memory, for 8-bit levels (Larsson 2015, section 7.1, which saw 250% in a first test
// and did not follow it up), with register blocking. The table holds what exp2 gives: the result is the same.

#define OWN_TAP_WEIGHT
#include "bilateral.glsl"
#include "register_rows.glsl"

#define ENTRIES 766  // differences of levels; the largest is a sum of three
#define IS_TABLED (format_edges == format_u8 && ((DISTANCE == 0 && SAME_CHANNELS) || DISTANCE == 3))

shared float weightOf[ENTRIES];

float tabled(float d) { return weightOf[int(abs(d))]; }
vec2 tabled(vec2 d) { return vec2(tabled(d.x), tabled(d.y)); }
vec3 tabled(vec3 d) { return vec3(tabled(d.x), tabled(d.y), tabled(d.z)); }

WEIGHT tapWeight(GUIDE d, float spatial, float falloff) {
#if !IS_TABLED
  return spatial * gaussianOf(d, falloff);  // a guide of another format
#elif DISTANCE == 0
  return spatial * tabled(d);
#else
  return spatial * tabled(summed(d));
#endif
}

void run(Pixel p) {
  float k = falloff();
  for (int i = int(gl_LocalInvocationIndex); i < ENTRIES; i += int(gl_WorkGroupSize.x * gl_WorkGroupSize.y)) {
    float d = float(i);
    weightOf[i] = exp2(d * d * k);
  }
  barrier();
  filterRows(p);
}
