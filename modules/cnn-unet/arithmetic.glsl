// Whether kernels use matrices: as the module's parameter says, else if the device has them. And how they hold
// values: in cells of eight halves, or of four floats.

#define ARITHMETIC_AUTO 0
#define ARITHMETIC_MATRICES 1
#define ARITHMETIC_PLAIN 2
#define ARITHMETIC_FLOAT 3
#define ARITHMETIC_HOST 4
#if ARITHMETIC == ARITHMETIC_MATRICES || (ARITHMETIC == ARITHMETIC_AUTO && \
    (defined(MATRIX_KHR) || defined(MATRIX_NV)))
#define USES_MATRICES 1
#if defined(MATRIX_KHR) || defined(MATRIX_NV)
#define UNROLL [[unroll]]
#else
#define UNROLL [[dont_unroll]]  // emulated ones are so much code that compilers take minutes
#endif
#include "shared/matrix.glsl"
#else
#define USES_MATRICES 0
#define MATRIX_BARRIER barrier()
#endif

#if ARITHMETIC == ARITHMETIC_FLOAT
#define USES_FLOATS 1
#define PIXEL_CELLS 4
uvec4 cellOfChannels(vec4 a, vec4 unused) { return floatBitsToUint(a); }
#else
#define USES_FLOATS 0
#define PIXEL_CELLS 2  // of 16 channels
uvec4 cellOfChannels(vec4 a, vec4 b) {
  return uvec4(packHalf2x16(a.xy), packHalf2x16(a.zw), packHalf2x16(b.xy), packHalf2x16(b.zw));
}
#endif
#define CELL_CHANNELS (16 / PIXEL_CELLS)
#define FRAGMENT_CELLS (16 * PIXEL_CELLS)
