// Larsson 2015, equation 2.8; what a pixel and a tap do is shared with bilateral-separable.
#include "shared/bilateral.glsl"
