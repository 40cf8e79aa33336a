// Filtered blocks, added up in whole numbers, so that their order doesn't matter: differences from the pilot
// times the block's weight, and weights. A block's weight is Dabov et al.'s (equation 11) times a Kaiser window
// (beta 2).

const float mostDeviation = 16.0;  // of module.cpp
const float one = float(1 << FRACTION);
const float squaresOne = 65536.0;  // of sums of squares
const float kaiser[8] =
    float[](0.43867628, 0.68132426, 0.87683991, 0.98582251, 0.98582251, 0.87683991, 0.68132426, 0.43867628);

// From the sum of squares of the filter's gains times variances, relative to that of the mean.
float weightOf(float squares) { return 4.0 / max(squares, 4.0); }

float weightAt(float weight, int x, int y) { return weight * kaiser[x] * kaiser[y]; }

int wholeOf(float v) { return int(floor(fma(v, one, 0.5))); }

void addWeight(int i, int plane, float weight) { atomicAdd(array_sums.data[3 * plane + i], uint(wholeOf(weight))); }

void addValue(int i, int plane, int c, float weight, float deviation) {
  float v = clamp(deviation, -mostDeviation, mostDeviation);
  atomicAdd(array_sums.data[c * plane + i], uint(wholeOf(weight * v)));
}
