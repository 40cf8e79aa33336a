#include "weights.glsl"
#include "common/separable_inside.glsl"
