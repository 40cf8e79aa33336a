// Register blocking, beyond the study: N pixels a thread.

#include "bilateral.glsl"
#include "register_rows.glsl"

void run(Pixel p) { filterRows(p); }
