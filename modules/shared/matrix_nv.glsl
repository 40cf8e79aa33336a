// VK_NV_cooperative_matrix, by GL_NV_cooperative_matrix, for older drivers.

#define MatrixA fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define MatrixB MatrixA
#define MatrixH MatrixA
#if defined(ACCUMULATE_F16)
#define MatrixC MatrixA
#define MATRIX_NUMBER float16_t
#define matrixToHalf(m) (m)
#else
#define MatrixC fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>
#define MATRIX_NUMBER float
#define matrixToHalf(m) MatrixH(m)
#endif

#define matrixMultiplyAdd(a, b, c) coopMatMulAddNV(a, b, c)
#define matrixAdd(a, b) ((a) + (b))
#define matrixFill(value) MatrixC(MATRIX_NUMBER(value))
#define matrixScale(m, factor) ((m) * MATRIX_NUMBER(factor))
#define matrixGroup() int(gl_SubgroupID)
#define MATRIX_BARRIER subgroupBarrier()

#define MATRIX_LOAD(m, array, element, order, stride) \
  coopMatLoadNV(m, array, uint(element), uint(stride), (order) == matrixColumns)
#define MATRIX_LOAD_A(m, array, element, order, stride) MATRIX_LOAD(m, array, element, order, stride)
#define MATRIX_LOAD_B(m, array, element, order, stride) MATRIX_LOAD(m, array, element, order, stride)
#define MATRIX_LOAD_C(m, array, element, order, stride) MATRIX_LOAD(m, array, element, order, stride)
#define MATRIX_LOAD_H(m, array, element, order, stride) MATRIX_LOAD(m, array, element, order, stride)
#define MATRIX_STORE_C(array, element, m, order, stride) \
  coopMatStoreNV(m, array, uint(element), uint(stride), (order) == matrixColumns)
#define MATRIX_STORE_A(array, element, m, order, stride) MATRIX_STORE_C(array, element, m, order, stride)
#define MATRIX_STORE_H(array, element, m, order, stride) MATRIX_STORE_C(array, element, m, order, stride)

#define matrixNumberA(m, i) m[i]
#define matrixNumberB(m, i) m[i]
#define MATRIX_SET_A(m, i, number) m[i] = number
#define MATRIX_SET_B(m, i, number) m[i] = number
