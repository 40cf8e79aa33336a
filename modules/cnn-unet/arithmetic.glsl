// Whether kernels use matrices: as the module's parameter says, else if the device has them.

#define ARITHMETIC_AUTO 0
#define ARITHMETIC_MATRICES 1
#define ARITHMETIC_PLAIN 2
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
