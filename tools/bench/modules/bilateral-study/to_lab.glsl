#include "shared/to_lab.glsl"
