// Larsson 2015, equation 2.8; the work of a pixel and a tap is shared with bilateral-separable.
#include "shared/bilateral.glsl"
