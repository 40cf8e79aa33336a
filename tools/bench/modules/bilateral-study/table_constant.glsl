// Range weights from a table in constant memory (Larsson 2015, section 7.1), with register blocking: exact,
// as table.glsl.

#define OWN_TAP_WEIGHT
#include "bilateral.glsl"
#include "register_rows.glsl"

float tabled(float d) { return array_ranges.data[int(abs(d))]; }
#include "tabled.glsl"

void run(Pixel p) { filterRows(p); }
