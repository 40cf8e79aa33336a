#include "shared/mean.glsl"

// All pixels of the square have equal weight (Larsson 2015, equation 2.3).
int reach() { return param.radius; }
