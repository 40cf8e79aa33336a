// Factors and the output as tensors (shared/matrix_workgroup.glsl): their parts become matrices of the
// workgroup, and sums become elements of the output.
//
// A factor that is row-major is a tensor of two sizes, its rows and columns. Drivers load its parts fast. Any
// other layout is a tensor of three sizes, and a view selects its rows and columns of the matrix: slower, but
// right.

// The three sizes of a factor.
#define SIZES(layout_, lines)                                                                \
  uint(layout_ == inPanels ? inner16 / 16 : 1), uint(layout_ == byDepth ? inner16 : lines),  \
      uint(layout_ == byLines ? inner16 : layout_ == byDepth ? lines : 16)
// The first element of a part and its size, along each of them: `width` lines, DEPTH numbers of each.
#define PART(layout_, line, width, k)                                                        \
  uint(layout_ == inPanels ? k / 16 : 0), uint(layout_ == inPanels ? DEPTH / 16 : 1),        \
      uint(layout_ == byDepth ? k : line), uint(layout_ == byDepth ? DEPTH : width),         \
      uint(layout_ == byLines ? k : layout_ == byDepth ? line : 0),                          \
      uint(layout_ == byLines ? DEPTH : layout_ == byDepth ? width : 16)
#define PLAIN_PART(y, height, x, width) uint(y), uint(height), uint(x), uint(width)

const uint edgesA = rows16 % blockRows == 0 && inner16 % DEPTH == 0 ? tensorInside : tensorEdged;
const uint slowA = layoutA == inPanels ? 1u : 0u;
const uint middleA = layoutA == byLines ? 1u : layoutA == byDepth ? 2u : 0u;
const uint fastA = layoutA == byDepth ? 1u : 2u;
#define PlainA TENSOR_TYPE(tensorTwo, edgesA)
#define TensorA TENSOR_TYPE(tensorThree, edgesA)
#define ViewA VIEW_TYPE(slowA, middleA, fastA)
TENSOR_NEW PlainA newPlainA();
TENSOR_NEW TensorA newTensorA();
VIEW_NEW ViewA newViewA();
TENSOR_SIZES PlainA sizesOfPlainA(PlainA all, uint rows, uint columns);
TENSOR_SIZES TensorA sizesOfTensorA(TensorA all, uint first, uint second, uint third);
TENSOR_PART PlainA partOfPlainA(PlainA all, uint y, uint height, uint x, uint width);
TENSOR_PART TensorA partOfTensorA(TensorA all, uint z, uint depth, uint y, uint height, uint x, uint width);
BLOCK_LOAD BlockA loadPlainA(spirv_by_reference uvec4 first, BlockA old, PlainA part, MOVE_LITERALS);
BLOCK_LOAD BlockA loadViewA(spirv_by_reference uvec4 first, BlockA old, TensorA part, MOVE_LITERALS,
                            ViewA view);
#define LOAD_A(m, at, k)                                                                                  \
  if (layoutA == byLines) {                                                                               \
    m = loadPlainA(quads_a.data[at.batch * (batchA / 8)], m,                                              \
                   partOfPlainA(sizesOfPlainA(newPlainA(), uint(rows16), uint(inner16)),                  \
                                PLAIN_PART(at.row, blockRows, k, DEPTH)),                                 \
                   MOVE_SHARED, 16, MOVE_PLAIN);                                                          \
  } else {                                                                                                \
    m = loadViewA(quads_a.data[at.batch * (batchA / 8)], m,                                               \
                  partOfTensorA(sizesOfTensorA(newTensorA(), SIZES(layoutA, rows16)),                     \
                                PART(layoutA, at.row, blockRows, k)),                                     \
                  MOVE_SHARED, 16, MOVE_VIEW, newViewA());                                                \
  }

const uint edgesB = columns16 % blockColumns == 0 && inner16 % DEPTH == 0 ? tensorInside : tensorEdged;
const uint slowB = 0u, middleB = 2u, fastB = 1u;
#define PlainB TENSOR_TYPE(tensorTwo, edgesB)
#define TensorB TENSOR_TYPE(tensorThree, edgesB)
#define ViewB VIEW_TYPE(slowB, middleB, fastB)
TENSOR_NEW PlainB newPlainB();
TENSOR_NEW TensorB newTensorB();
VIEW_NEW ViewB newViewB();
TENSOR_SIZES PlainB sizesOfPlainB(PlainB all, uint rows, uint columns);
TENSOR_SIZES TensorB sizesOfTensorB(TensorB all, uint first, uint second, uint third);
TENSOR_PART PlainB partOfPlainB(PlainB all, uint y, uint height, uint x, uint width);
TENSOR_PART TensorB partOfTensorB(TensorB all, uint z, uint depth, uint y, uint height, uint x, uint width);
BLOCK_LOAD BlockB loadPlainB(spirv_by_reference uvec4 first, BlockB old, PlainB part, MOVE_LITERALS);
BLOCK_LOAD BlockB loadViewB(spirv_by_reference uvec4 first, BlockB old, TensorB part, MOVE_LITERALS,
                            ViewB view);
#define LOAD_B(m, at, k)                                                                                  \
  if (layoutB == byDepth) {                                                                               \
    m = loadPlainB(quads_b.data[at.batch * (batchB / 8)], m,                                              \
                   partOfPlainB(sizesOfPlainB(newPlainB(), uint(inner16), uint(columns16)),               \
                                PLAIN_PART(k, DEPTH, at.column, blockColumns)),                           \
                   MOVE_SHARED, 16, MOVE_PLAIN);                                                          \
  } else {                                                                                                \
    m = loadViewB(quads_b.data[at.batch * (batchB / 8)], m,                                               \
                  partOfTensorB(sizesOfTensorB(newTensorB(), SIZES(layoutB, columns16)),                  \
                                PART(layoutB, at.column, blockColumns, k)),                               \
                  MOVE_SHARED, 16, MOVE_VIEW, newViewB());                                                \
  }

// Each sum is finished in single precision.
float finishedAt(const uint row, const uint column, const float sum, const int batch, const int top,
                 const int left) {
  Place at = Place(batch, top + int(row), left + int(column));
  return isInside(at) ? finished(at, sum) : 0.0;
}
// `call` only names the function (graph/shader/spirv.h).
BLOCK_EACH BlockF finishedBlock(BlockF sums, float call, int batch, int top, int left);
#if HALF
#define singleBlock(sums) blockToSingle(sums)
#else
#define singleBlock(sums) (sums)
#endif
#if format_output == format_f16
#define BlockOutput BlockH
#define OUTPUT_BYTES 2
#define outputBlock(m) blockToHalf(m)
#else
#define BlockOutput BlockF
#define OUTPUT_BYTES 4
#define outputBlock(m) (m)
#endif

const uint edgesOutput = rows % blockRows == 0 && columns % blockColumns == 0 ? tensorInside : tensorEdged;
#define Output TENSOR_TYPE(tensorTwo, edgesOutput)
TENSOR_NEW Output newOutput();
TENSOR_SIZES Output sizesOfOutput(Output all, uint rows, uint columns);
TENSOR_PART Output partOfOutput(Output all, uint y, uint height, uint x, uint width);
BLOCK_STORE void storeOutput(spirv_by_reference element_output first, BlockOutput m, Output part,
                             MOVE_LITERALS);

#define FINISH_BLOCK(sums, at)                                                                          \
  {                                                                                                     \
    BlockF ended = finishedBlock(singleBlock(sums), finishedAt(0u, 0u, 0.0, 0, 0, 0), at.batch, at.row, \
        at.column);                                                                                     \
    storeOutput(array_output.data[at.batch * rows * columns], outputBlock(ended),                       \
                partOfOutput(sizesOfOutput(newOutput(), uint(rows), uint(columns)),                     \
                             PLAIN_PART(at.row, blockRows, at.column, blockColumns)),                   \
                MOVE_SHARED, OUTPUT_BYTES, MOVE_PLAIN);                                                 \
  }
