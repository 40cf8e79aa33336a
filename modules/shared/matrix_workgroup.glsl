// Matrices held by a whole workgroup (VK_NV_cooperative_matrix2), for kernels with `matrix2 = true` in
// module.toml. The driver loads these matrices through shared memory in its own way.
//
// Debian 12's compiler does not know the extension: instructions are given by their numbers, as in
// matrix_khr.glsl. graph/shader/matrix_types.cpp adds what GLSL cannot express: component types, and
// functions as operands.
//
// The kernel defines the constants blockRows, blockColumns and blockDepth before this include: a is
// blockRows x blockDepth, b is blockDepth x blockColumns. With `#define ACCUMULATE_F16` BlockC is half
// precision.

#define MATRIX_HALF 0x48414c46
#define MATRIX_FLOAT 0x464c5433
#define BLOCK_NEEDS extensions = ["SPV_KHR_cooperative_matrix"], capabilities = [6022]
#define TENSOR_NEEDS extensions = ["SPV_NV_tensor_addressing"], capabilities = [5439]
#define MOVE_NEEDS extensions = ["SPV_NV_cooperative_matrix2"], capabilities = [5433]
#define EACH_NEEDS extensions = ["SPV_NV_cooperative_matrix2"], capabilities = [5432]

const uint blockScope = 2u;  // workgroup
const uint blockUseA = 0u, blockUseB = 1u, blockUseC = 2u;
const uint blockHeight = uint(blockRows), blockWidth = uint(blockColumns), blockInner = uint(blockDepth);
#define BLOCK_TYPE(component, height, width, use) \
  spirv_type(BLOCK_NEEDS, id = 4456, component, blockScope, height, width, use)
#define BlockA BLOCK_TYPE(MATRIX_HALF, blockHeight, blockInner, blockUseA)
#define BlockB BLOCK_TYPE(MATRIX_HALF, blockInner, blockWidth, blockUseB)
#define BlockH BLOCK_TYPE(MATRIX_HALF, blockHeight, blockWidth, blockUseC)
#define BlockF BLOCK_TYPE(MATRIX_FLOAT, blockHeight, blockWidth, blockUseC)

#if defined(ACCUMULATE_F16)
#define BlockC BlockH
#define BLOCK_NUMBER float16_t
#else
#define BlockC BlockF
#define BLOCK_NUMBER float
#endif
spirv_instruction(BLOCK_NEEDS, id = 4459) BlockC blockMultiplyAdd(BlockA a, BlockB b, BlockC c);
spirv_instruction(id = 80) BlockC blockOf(BLOCK_NUMBER value);  // OpCompositeConstruct
spirv_instruction(id = 115) BlockH blockToHalf(BlockF m);       // OpFConvert
spirv_instruction(id = 115) BlockF blockToSingle(BlockH m);

// A tensor: an array in memory of two or three sizes; elements along the last one are neighbours. If it is
// tensorEdged, its parts may reach beyond its sizes: loads fill them with zeros, stores leave out what is
// outside. Parts of a tensorInside tensor must be inside.
const uint tensorInside = 0u, tensorEdged = 1u, tensorTwo = 2u, tensorThree = 3u;
#define TENSOR_TYPE(count, edges) spirv_type(TENSOR_NEEDS, id = 5370, count, edges)
#define TENSOR_NEW spirv_instruction(TENSOR_NEEDS, id = 5372)
#define TENSOR_SIZES spirv_instruction(TENSOR_NEEDS, id = 5373)
#define TENSOR_PART spirv_instruction(TENSOR_NEEDS, id = 5375)

// A view: the order in which a part's three sizes run through the matrix, row by row. `fast` changes with
// each element.
const bool viewOwnSizes = false;
#define VIEW_TYPE(slow, middle, fast) \
  spirv_type(TENSOR_NEEDS, id = 5371, tensorThree, viewOwnSizes, slow, middle, fast)
#define VIEW_NEW spirv_instruction(TENSOR_NEEDS, id = 5377)

// Loads and stores end with these numbers: MOVE_SHARED (other invocations use the memory, and its alignment
// follows), the alignment in bytes, and MOVE_VIEW if a view follows, else MOVE_PLAIN.
#define MOVE_LITERALS spirv_literal int memory, spirv_literal int alignment, spirv_literal int views
#define MOVE_SHARED 34
#define MOVE_PLAIN 0
#define MOVE_VIEW 1
// These words precede declarations of functions, each of which needs its own name. BLOCK_EACH BlockF f(BlockF
// m, float call, ...) applies a function to each number of m: `call` is a call of it, which doesn't run. Its
// parameters are const: row, column, number, and those after `call`.
#define BLOCK_LOAD spirv_instruction(MOVE_NEEDS, id = 5367)
#define BLOCK_STORE spirv_instruction(MOVE_NEEDS, id = 5368)
#define BLOCK_EACH spirv_instruction(EACH_NEEDS, id = 5369)
