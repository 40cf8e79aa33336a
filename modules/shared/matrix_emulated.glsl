// The same in plain arithmetic, on any device. An invocation holds values, nothing is shared: for A its row,
// for B its eight columns, for C and H eight neighbouring elements of its row. Products are exact in float,
// and summed in the order of k; where MatrixC is half precision, the sum is rounded to half after each
// product of two matrices.

struct MatrixA { float at[16]; };
struct MatrixB { float at[128]; };  // row by row
struct MatrixC { float at[8]; };
struct MatrixH { float at[8]; };
struct MatrixEight { float at[8]; };

#define MATRIX_BARRIER barrier()
int matrixGroup() { return int(gl_LocalInvocationIndex) / MATRIX_LANES; }
int matrixRow() { return int(gl_LocalInvocationIndex) % MATRIX_LANES / 2; }
int matrixColumn() { return int(gl_LocalInvocationIndex) % 2 * 8; }

uint matrixWord(float low, float high) {
  // Drivers remove packing and unpacking unless the zero that they can't see through separates them.
  return packHalf2x16(vec2(low, high)) ^ opaqueZero();
}
float matrixRounded(float value) { return unpackHalf2x16(matrixWord(value, 0.0)).x; }

// Numbers in an element of memory, by its type.
int matrixHalves(uvec4 cell) { return 8; }
int matrixHalves(uint cell) { return 2; }
int matrixFloats(uvec4 cell) { return 4; }
int matrixFloats(uint cell) { return 1; }
int matrixFloats(float cell) { return 1; }

float matrixHalf(uvec4 cell, int i) { return unpackHalf2x16(cell[i >> 1])[i & 1]; }
float matrixHalf(uint cell, int i) { return unpackHalf2x16(cell)[i]; }
float matrixFloat(uvec4 cell, int i) { return uintBitsToFloat(cell[i]); }
float matrixFloat(uint cell, int i) { return uintBitsToFloat(cell); }
float matrixFloat(float cell, int i) { return cell; }

// Copies a cell's numbers into eight, from the i-th on.
void matrixSpreadHalves(inout MatrixEight eight, int i, uvec4 cell) {
  [[unroll]] for (int w = 0; w < 4; ++w) {
    const vec2 two = unpackHalf2x16(cell[w]);
    eight.at[2 * w] = two.x;
    eight.at[2 * w + 1] = two.y;
  }
}
void matrixSpreadHalves(inout MatrixEight eight, int i, uint cell) {
  const vec2 two = unpackHalf2x16(cell);
  eight.at[i] = two.x;
  eight.at[i + 1] = two.y;
}
void matrixSpreadFloats(inout MatrixEight eight, int i, uvec4 cell) {
  [[unroll]] for (int w = 0; w < 4; ++w) eight.at[i + w] = uintBitsToFloat(cell[w]);
}
void matrixSpreadFloats(inout MatrixEight eight, int i, uint cell) { eight.at[i] = uintBitsToFloat(cell); }
void matrixSpreadFloats(inout MatrixEight eight, int i, float cell) { eight.at[i] = cell; }

// The numbers from the i-th of eight on, as a cell.
void matrixPutHalves(out uvec4 cell, MatrixEight eight, int i) {
  [[unroll]] for (int w = 0; w < 4; ++w) cell[w] = matrixWord(eight.at[2 * w], eight.at[2 * w + 1]);
}
void matrixPutHalves(out uint cell, MatrixEight eight, int i) {
  cell = matrixWord(eight.at[i], eight.at[i + 1]);
}
void matrixPutFloats(out uvec4 cell, MatrixEight eight, int i) {
  [[unroll]] for (int w = 0; w < 4; ++w) cell[w] = floatBitsToUint(eight.at[i + w]);
}
void matrixPutFloats(out uint cell, MatrixEight eight, int i) { cell = floatBitsToUint(eight.at[i]); }
void matrixPutFloats(out float cell, MatrixEight eight, int i) { cell = eight.at[i]; }

// Column by column, a cell of several numbers belongs to several rows, each of another invocation: it becomes
// NaN, which shows in every result.
void matrixPutHalfAlone(out uvec4 cell, float value) { cell = uvec4(0x7fff7fff); }
void matrixPutHalfAlone(out uint cell, float value) { cell = 0x7fff7fff; }
void matrixPutFloatAlone(out uvec4 cell, float value) { cell = uvec4(0x7fffffff); }
void matrixPutFloatAlone(out uint cell, float value) { cell = floatBitsToUint(value); }
void matrixPutFloatAlone(out float cell, float value) { cell = value; }

#if defined(MATRIX_FLOAT16)
int matrixHalves(float16_t cell) { return 1; }
float matrixHalf(float16_t cell, int i) { return float(cell); }
void matrixSpreadHalves(inout MatrixEight eight, int i, float16_t cell) { eight.at[i] = float(cell); }
void matrixPutHalves(out float16_t cell, MatrixEight eight, int i) { cell = float16_t(eight.at[i]); }
void matrixPutHalfAlone(out float16_t cell, float value) { cell = float16_t(value); }
#endif

// The eight numbers from the element `from` on; `numbers` and `spread` are the functions above, of halves or
// floats.
#define MATRIX_EIGHT(eight, array, from, numbers, spread)                                 \
  [[unroll]] for (int matrixI = 0; matrixI < 8; matrixI += numbers(array[from]))          \
      spread(eight, matrixI, array[(from) + matrixI / numbers(array[from])])

#define MATRIX_LOAD_A(m, array, element, order, stride)                                               \
  {                                                                                                   \
    const int matrixAt = int(element), matrixStep = int(stride);                                      \
    const int matrixPer = matrixHalves(array[matrixAt]);                                              \
    if ((order) == matrixRows) {                                                                      \
      [[dont_unroll]] for (int matrixK = 0; matrixK < 16; matrixK += 8) {                             \
        MatrixEight matrixNumbers;                                                                    \
        MATRIX_EIGHT(matrixNumbers, array, matrixAt + matrixRow() * matrixStep + matrixK / matrixPer, \
                     matrixHalves, matrixSpreadHalves);                                               \
        [[unroll]] for (int matrixJ = 0; matrixJ < 8; ++matrixJ)                                      \
          m.at[matrixK + matrixJ] = matrixNumbers.at[matrixJ];                                        \
      }                                                                                               \
    } else {                                                                                          \
      [[dont_unroll]] for (int matrixK = 0; matrixK < 16; ++matrixK)                                  \
        m.at[matrixK] = matrixHalf(array[matrixAt + matrixK * matrixStep + matrixRow() / matrixPer],  \
                                   matrixRow() % matrixPer);                                          \
    }                                                                                                 \
  }

#define MATRIX_LOAD_B(m, array, element, order, stride)                                                  \
  {                                                                                                      \
    const int matrixAt = int(element), matrixStep = int(stride);                                         \
    const int matrixPer = matrixHalves(array[matrixAt]);                                                 \
    if ((order) == matrixRows) {                                                                         \
      [[dont_unroll]] for (int matrixK = 0; matrixK < 16; ++matrixK) {                                   \
        MatrixEight matrixNumbers;                                                                       \
        MATRIX_EIGHT(matrixNumbers, array, matrixAt + matrixK * matrixStep + matrixColumn() / matrixPer, \
                     matrixHalves, matrixSpreadHalves);                                                  \
        [[unroll]] for (int matrixJ = 0; matrixJ < 8; ++matrixJ)                                         \
          m.at[8 * matrixK + matrixJ] = matrixNumbers.at[matrixJ];                                       \
      }                                                                                                  \
    } else {                                                                                             \
      [[dont_unroll]] for (int matrixJ = 0; matrixJ < 8; ++matrixJ)                                      \
        [[dont_unroll]] for (int matrixK = 0; matrixK < 16; matrixK += 8) {                              \
          MatrixEight matrixNumbers;                                                                     \
          MATRIX_EIGHT(matrixNumbers, array,                                                             \
                       matrixAt + (matrixColumn() + matrixJ) * matrixStep + matrixK / matrixPer,         \
                           matrixHalves,                                                                 \
                       matrixSpreadHalves);                                                              \
          [[unroll]] for (int matrixL = 0; matrixL < 8; ++matrixL)                                       \
            m.at[8 * (matrixK + matrixL) + matrixJ] = matrixNumbers.at[matrixL];                         \
        }                                                                                                \
    }                                                                                                    \
  }

#define MATRIX_LOAD_EIGHT(m, array, element, order, stride, numbers, spread, number)                       \
  {                                                                                                        \
    const int matrixAt = int(element), matrixStep = int(stride);                                           \
    const int matrixPer = numbers(array[matrixAt]);                                                        \
    MatrixEight matrixNumbers;                                                                             \
    if ((order) == matrixRows) {                                                                           \
      MATRIX_EIGHT(matrixNumbers, array, matrixAt + matrixRow() * matrixStep + matrixColumn() / matrixPer, \
                   numbers, spread);                                                                       \
    } else {                                                                                               \
      [[unroll]] for (int matrixJ = 0; matrixJ < 8; ++matrixJ)                                             \
        matrixNumbers.at[matrixJ] =                                                                        \
            number(array[matrixAt + (matrixColumn() + matrixJ) * matrixStep + matrixRow() / matrixPer],    \
                   matrixRow() % matrixPer);                                                               \
    }                                                                                                      \
    m.at = matrixNumbers.at;                                                                               \
  }

#define MATRIX_STORE_EIGHT(array, element, m, order, stride, numbers, put, putAlone)                  \
  {                                                                                                   \
    const int matrixAt = int(element), matrixStep = int(stride);                                      \
    const int matrixPer = numbers(array[matrixAt]);                                                   \
    const MatrixEight matrixNumbers = MatrixEight(m.at);                                              \
    if ((order) == matrixRows) {                                                                      \
      [[unroll]] for (int matrixI = 0; matrixI < 8; matrixI += matrixPer)                             \
        put(array[matrixAt + matrixRow() * matrixStep + (matrixColumn() + matrixI) / matrixPer],      \
            matrixNumbers, matrixI);                                                                  \
    } else {                                                                                          \
      [[unroll]] for (int matrixJ = 0; matrixJ < 8; ++matrixJ)                                        \
        putAlone(array[matrixAt + (matrixColumn() + matrixJ) * matrixStep + matrixRow() / matrixPer], \
                 matrixNumbers.at[matrixJ]);                                                          \
    }                                                                                                 \
  }

#define MATRIX_LOAD_H(m, array, element, order, stride) \
  MATRIX_LOAD_EIGHT(m, array, element, order, stride, matrixHalves, matrixSpreadHalves, matrixHalf)
#define MATRIX_STORE_H(array, element, m, order, stride) \
  MATRIX_STORE_EIGHT(array, element, m, order, stride, matrixHalves, matrixPutHalves, matrixPutHalfAlone)
// Two invocations hold a row, and each stores its half.
#define MATRIX_STORE_A(array, element, m, order, stride)                               \
  {                                                                                    \
    MatrixH matrixOwn;                                                                 \
    [[unroll]] for (int matrixK = 0; matrixK < 8; ++matrixK)                           \
      matrixOwn.at[matrixK] = matrixColumn() == 0 ? m.at[matrixK] : m.at[matrixK + 8]; \
    MATRIX_STORE_H(array, element, matrixOwn, order, stride)                           \
  }
#if defined(ACCUMULATE_F16)
#define MATRIX_LOAD_C(m, array, element, order, stride) MATRIX_LOAD_H(m, array, element, order, stride)
#define MATRIX_STORE_C(array, element, m, order, stride) MATRIX_STORE_H(array, element, m, order, stride)
#else
#define MATRIX_LOAD_C(m, array, element, order, stride) \
  MATRIX_LOAD_EIGHT(m, array, element, order, stride, matrixFloats, matrixSpreadFloats, matrixFloat)
#define MATRIX_STORE_C(array, element, m, order, stride) \
  MATRIX_STORE_EIGHT(array, element, m, order, stride, matrixFloats, matrixPutFloats, matrixPutFloatAlone)
#endif

#if defined(ACCUMULATE_F16)
float matrixAccumulated(float value) { return matrixRounded(value); }
#else
float matrixAccumulated(float value) { return value; }
#endif

MatrixC matrixFill(float value) {
  MatrixC m;
  [[unroll]] for (int j = 0; j < 8; ++j) m.at[j] = matrixAccumulated(value);
  return m;
}

MatrixC matrixAdd(MatrixC a, MatrixC b) {
  [[unroll]] for (int j = 0; j < 8; ++j) a.at[j] = matrixAccumulated(a.at[j] + b.at[j]);
  return a;
}

MatrixC matrixScale(MatrixC m, float factor) {
  [[unroll]] for (int j = 0; j < 8; ++j) m.at[j] = matrixAccumulated(m.at[j] * matrixAccumulated(factor));
  return m;
}

MatrixH matrixToHalf(MatrixC m) {
  MatrixH halves;
  [[unroll]] for (int j = 0; j < 8; ++j) halves.at[j] = matrixRounded(m.at[j]);
  return halves;
}

MatrixC matrixMultiplyAdd(MatrixA a, MatrixB b, MatrixC c) {
  [[dont_unroll]] for (int k = 0; k < 16; ++k)
    [[unroll]] for (int j = 0; j < 8; ++j) c.at[j] = fma(a.at[k], b.at[8 * k + j], c.at[j]);
  [[unroll]] for (int j = 0; j < 8; ++j) c.at[j] = matrixAccumulated(c.at[j]);
  return c;
}
