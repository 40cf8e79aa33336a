// Larsson 2015, section 5.2.2, version 3 with pixels of 3 bytes in shared memory; version 4 has words.

#define BYTES
#include "shared.glsl"
