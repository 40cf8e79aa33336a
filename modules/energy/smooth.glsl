#include "shared/mean.glsl"
