#include "atrous-guided/alpha.glsl"
