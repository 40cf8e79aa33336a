// Matrices of 16x16 halves, each held by MATRIX_LANES invocations together, for kernels with `matrix = true`
// in module.toml (modules/shared/README.md lists everything). Three files have the same interface:
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

// Fragments: a factor's 512 bytes in the order in which the group holds them, so that each invocation loads
// 16 bytes. On other devices they are the matrix row by row, for b column by column.
#if defined(MATRIX_HOLDS_EIGHT)
#define MATRIX_SET_TWO(m, i, set, word)          \
  {                                              \
    const f16vec2 two = unpackFloat2x16(word);   \
    set(m, i, two.x);                            \
    set(m, i + 1, two.y);                        \
  }
#define MATRIX_SET_EIGHT(m, set, cell)   \
  {                                      \
    const uvec4 eight = cell;            \
    MATRIX_SET_TWO(m, 0, set, eight.x)   \
    MATRIX_SET_TWO(m, 2, set, eight.y)   \
    MATRIX_SET_TWO(m, 4, set, eight.z)   \
    MATRIX_SET_TWO(m, 6, set, eight.w)   \
  }
#define MATRIX_TWO(m, i, number) packFloat2x16(f16vec2(number(m, i), number(m, i + 1)))
#define MATRIX_EIGHT_OF(m, number)                                                    \
  uvec4(MATRIX_TWO(m, 0, number), MATRIX_TWO(m, 2, number), MATRIX_TWO(m, 4, number), \
        MATRIX_TWO(m, 6, number))
#define MATRIX_OWN_CELL(array, element) array[(element) + int(gl_SubgroupInvocationID)]
#define MATRIX_LOAD_FRAGMENT_A(m, array, element) \
  MATRIX_SET_EIGHT(m, MATRIX_SET_A, MATRIX_OWN_CELL(array, element))
#define MATRIX_LOAD_FRAGMENT_B(m, array, element) \
  MATRIX_SET_EIGHT(m, MATRIX_SET_B, MATRIX_OWN_CELL(array, element))
#define MATRIX_STORE_FRAGMENT_A(array, element, m) \
  MATRIX_OWN_CELL(array, element) = MATRIX_EIGHT_OF(m, matrixNumberA)
#define MATRIX_STORE_FRAGMENT_B(array, element, m) \
  MATRIX_OWN_CELL(array, element) = MATRIX_EIGHT_OF(m, matrixNumberB)
#else
#define MATRIX_LOAD_FRAGMENT_A(m, array, element) MATRIX_LOAD_A(m, array, element, matrixRows, 2)
#define MATRIX_LOAD_FRAGMENT_B(m, array, element) MATRIX_LOAD_B(m, array, element, matrixColumns, 2)
#endif
