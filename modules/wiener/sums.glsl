// Filtered blocks, added up in whole numbers, so that their order doesn't matter: differences from the pilot
// times the block's weight, and weights. A block's weight is Dabov et al.'s (equation 11) times a Kaiser window
// (beta 2).

const float mostDeviation = 16.0;  // of module.cpp
const float one = float(1 << FRACTION);
const float squaresOne = 65536.0;  // of sums of squares
const float kaiser[8] =
    float[](0.43867628, 0.68132426, 0.87683991, 0.98582251, 0.98582251, 0.87683991, 0.68132426, 0.43867628);

// Of a frequency, to add up those of all 64 frequencies in 32 bits: coarse noise may be far below fine noise.
Value wholeSquares(Value squares, Value relative) { return min(squares * relative, Value(511.0)) * squaresOne; }

// From the sum of squares of the filter's gains times variances, relative to that of the mean.
float weightOf(float squares) { return 4.0 / max(squares, 4.0); }

// At least what a whole number holds, so that each pixel has a weight.
float weightAt(float weight, int x, int y) { return max(weight * kaiser[x] * kaiser[y], 1.0 / one); }

int wholeOf(float v) { return int(floor(fma(v, one, 0.5))); }

void addWeight(int i, int plane, float weight) { atomicAdd(array_sums.data[3 * plane + i], uint(wholeOf(weight))); }

void addValue(int i, int plane, int c, float weight, float deviation) {
  float v = clamp(deviation, -mostDeviation, mostDeviation);
  atomicAdd(array_sums.data[c * plane + i], uint(wholeOf(weight * v)));
}
