#include "weights.glsl"
#include "shared/separable_inside.glsl"
