// Matrices of 16x16 halves, each held by MATRIX_LANES invocations together, for kernels with `matrix = true` in
// module.toml (modules/shared/README.md lists everything). Three files have the same interface:
// VK_KHR_cooperative_matrix, VK_NV_cooperative_matrix, and plain arithmetic where the device has neither.
//
// `#define ACCUMULATE_F16` before this include makes MatrixC half precision.

const int matrixRows = 0;     // order of elements in memory: row by row
const int matrixColumns = 1;  // or column by column
#define MATRIX_LANES 32

#if defined(MATRIX_KHR)
#include "shared/matrix_khr.glsl"
#elif defined(MATRIX_NV)
#include "shared/matrix_nv.glsl"
#else
#include "shared/matrix_emulated.glsl"
#endif
