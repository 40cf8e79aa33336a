#include "shared/from_lab.glsl"
