// Pham and van Vliet 2005, as in section 4.1 of Larsson 2015.
#include "shared/bilateral.glsl"
