// VK_KHR_cooperative_matrix by its SPIR-V instructions, since Debian 12's glslang doesn't know the
// extension's GLSL. It can't pass a type to a type either: the component type is a number that
// graph/shader/matrix_types.cpp replaces.

#define MATRIX_HALF 0x48414c46
#define MATRIX_FLOAT 0x464c5433
#define MATRIX_NEEDS extensions = ["SPV_KHR_cooperative_matrix"], capabilities = [6022]
const uint matrixScope = 3u;  // subgroup
const uint matrixSide = 16u;
const uint matrixUseA = 0u, matrixUseB = 1u, matrixUseC = 2u;
#define MATRIX_TYPE(component, use) \
  spirv_type(MATRIX_NEEDS, id = 4456, component, matrixScope, matrixSide, matrixSide, use)

#define MatrixA MATRIX_TYPE(MATRIX_HALF, matrixUseA)
#define MatrixB MATRIX_TYPE(MATRIX_HALF, matrixUseB)
#define MatrixH MATRIX_TYPE(MATRIX_HALF, matrixUseC)
#if defined(ACCUMULATE_F16)
#define MatrixC MatrixH
#define MATRIX_NUMBER float16_t
#else
#define MatrixC MATRIX_TYPE(MATRIX_FLOAT, matrixUseC)
#define MATRIX_NUMBER float
#endif

spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixA
    matrixLoadA(spirv_by_reference uvec4 at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixA
    matrixLoadA(spirv_by_reference uint at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixA
    matrixLoadA(spirv_by_reference float16_t at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixB
    matrixLoadB(spirv_by_reference uvec4 at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixB
    matrixLoadB(spirv_by_reference uint at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixB
    matrixLoadB(spirv_by_reference float16_t at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixC
    matrixLoadC(spirv_by_reference uvec4 at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixC
    matrixLoadC(spirv_by_reference uint at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457)
    MatrixC matrixLoadC(spirv_by_reference MATRIX_NUMBER at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixH
    matrixLoadH(spirv_by_reference uvec4 at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixH
    matrixLoadH(spirv_by_reference uint at, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4457) MatrixH
    matrixLoadH(spirv_by_reference float16_t at, uint order, uint stride);

spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreA(spirv_by_reference uvec4 at, MatrixA m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreA(spirv_by_reference uint at, MatrixA m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreA(spirv_by_reference float16_t at, MatrixA m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreC(spirv_by_reference uvec4 at, MatrixC m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreC(spirv_by_reference uint at, MatrixC m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreC(spirv_by_reference MATRIX_NUMBER at, MatrixC m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreH(spirv_by_reference uvec4 at, MatrixH m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreH(spirv_by_reference uint at, MatrixH m, uint order, uint stride);
spirv_instruction(MATRIX_NEEDS, id = 4458)
    void matrixStoreH(spirv_by_reference float16_t at, MatrixH m, uint order, uint stride);

spirv_instruction(MATRIX_NEEDS, id = 4459) MatrixC matrixMultiplyAdd(MatrixA a, MatrixB b, MatrixC c);
spirv_instruction(id = 80) MatrixC matrixOf(MATRIX_NUMBER value);                     // OpCompositeConstruct
spirv_instruction(id = 129) MatrixC matrixAdd(MatrixC a, MatrixC b);                  // OpFAdd
spirv_instruction(id = 143) MatrixC matrixTimes(MatrixC m, MATRIX_NUMBER factor);     // OpMatrixTimesScalar
#if defined(ACCUMULATE_F16)
#define matrixToHalf(m) (m)
#else
spirv_instruction(id = 115) MatrixH matrixToHalf(MatrixC m);  // OpFConvert
#endif

#define matrixFill(value) matrixOf(MATRIX_NUMBER(value))
#define matrixScale(m, factor) matrixTimes(m, MATRIX_NUMBER(factor))
#define matrixGroup() int(gl_SubgroupID)
#define MATRIX_BARRIER subgroupBarrier()

#define MATRIX_LOAD_A(m, array, element, order, stride) \
  m = matrixLoadA(array[element], uint(order), uint(stride))
#define MATRIX_LOAD_B(m, array, element, order, stride) \
  m = matrixLoadB(array[element], uint(order), uint(stride))
#define MATRIX_LOAD_C(m, array, element, order, stride) \
  m = matrixLoadC(array[element], uint(order), uint(stride))
#define MATRIX_LOAD_H(m, array, element, order, stride) \
  m = matrixLoadH(array[element], uint(order), uint(stride))
#define MATRIX_STORE_A(array, element, m, order, stride) \
  matrixStoreA(array[element], m, uint(order), uint(stride))
#define MATRIX_STORE_C(array, element, m, order, stride) \
  matrixStoreC(array[element], m, uint(order), uint(stride))
#define MATRIX_STORE_H(array, element, m, order, stride) \
  matrixStoreH(array[element], m, uint(order), uint(stride))

#if defined(MATRIX_HOLDS_EIGHT)
// OpCompositeExtract, OpCompositeInsert
spirv_instruction(id = 81) float16_t matrixNumberA(MatrixA m, spirv_literal int i);
spirv_instruction(id = 81) float16_t matrixNumberB(MatrixB m, spirv_literal int i);
spirv_instruction(id = 82) MatrixA matrixWithA(float16_t number, MatrixA m, spirv_literal int i);
spirv_instruction(id = 82) MatrixB matrixWithB(float16_t number, MatrixB m, spirv_literal int i);
#define MATRIX_SET_A(m, i, number) m = matrixWithA(number, m, i)
#define MATRIX_SET_B(m, i, number) m = matrixWithB(number, m, i)
#endif
