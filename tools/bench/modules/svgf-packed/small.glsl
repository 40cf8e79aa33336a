#include "atrous-guided/pack.glsl"
