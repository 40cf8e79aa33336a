// Pham and van Vliet 2005, as Larsson 2015 has it in section 4.1.
#include "shared/bilateral.glsl"
