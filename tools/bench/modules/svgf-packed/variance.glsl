#include "atrous-guided/variance.glsl"
