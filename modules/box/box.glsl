#include "shared/mean.glsl"

// All pixels of the square count the same (Larsson 2015, equation 2.3).
int reach() { return param.radius; }
