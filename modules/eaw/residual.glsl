// The histogram of residuals by brightness, of at most 2048 blocks of 32x12 pixels, spread over the picture; a
// workgroup counts some of them in shared memory. The residual is the finest wavelet's coefficient without
// edges: the pixel less a B3 spline of its surroundings. Pixels contribute red, green and blue in turn.

#extension GL_EXT_control_flow_attributes : enable

const ivec2 sides = ivec2(32, 12);
const int around = 2;
const int wide = sides.x + 2 * around;
const int planeSize = wide * (sides.y + 2 * around);
const float spline[5] = float[](0.0625, 0.25, 0.375, 0.25, 0.0625);
const int columnsOfFour = 96;  // of a block: four pixels of one colour each
const int threads = int(gl_WorkGroupSize.x);
const int workgroups = 1024;
const int mostBlocks = 2048;
const int bins = 2049;

shared float planes[3 * planeSize];
shared uint counts[bins];

// Zeros outside the picture.
void readBlock(ivec2 corner, int self) {
  const int turns = (planeSize + threads - 1) / threads;
  vec3 colours[turns];
  [[unroll]] for (int turn = 0; turn < turns; ++turn) {
    int i = self + turn * threads;
    ivec2 at = corner + ivec2(i % wide, i / wide) - around;
    bool isInside = inside(at.x, extent_input.x) && inside(at.y, extent_input.y);
    colours[turn] = isInside ? load_input(at).rgb : vec3(0.0);
  }
  [[unroll]] for (int turn = 0; turn < turns; ++turn) {
    int i = self + turn * threads;
    for (int k = 0; k < 3 && i < planeSize; ++k) { planes[k * planeSize + i] = colours[turn][k]; }
  }
}

// The sum of the spline's weights inside the picture.
float weightInside(int at, int length) {
  float sum = 0.0;
  for (int k = -2; k <= 2; ++k) { sum += inside(at + k, length) ? spline[k + 2] : 0.0; }
  return sum;
}

// Rows of 32 bins, two an octave: rows by the mean from 2^-20 to 2^12, bins by the residual's ratio to it
// from 2^-12 to 2^4. Means below zero are only counted, in bin 2048. Negative: nowhere.
int binOf(float mean, float residual) {
  float ratio = residual / mean;
  if (!(mean != 0.0) || isnan(ratio) || isinf(residual) || isinf(mean)) { return -1; }
  if (mean < 0.0) { return bins - 1; }
  float row = clamp(floor(2.0 * log2(mean) + 40.0), 0.0, 63.0);
  return int(32.0 * row + clamp(floor(2.0 * log2(max(ratio, 1e-30)) + 24.0), 0.0, 31.0));
}

float sumOfRow(int first) {
  float sum = 0.0;
  for (int x = 0; x < 5; ++x) { sum = fma(spline[x], planes[first + x], sum); }
  return sum;
}

// The mean without its correlation with the residual: for unit noise the covariance is 0.0659 and the
// variance 0.7935.
void countPixel(ivec2 at, float value, float sum, bool atBorder) {
  float weight = 1.0;
  if (atBorder) { weight = weightInside(at.x, extent_input.x) * weightInside(at.y, extent_input.y); }
  float mean = sum / weight;
  float residual = value - mean;
  int bin = binOf(mean - 0.083 * residual, abs(residual));
  if (bin >= 0 && at.x < extent_input.x && at.y < extent_input.y) { atomicAdd(counts[bin], 1u); }
}

// Every third pixel of a column, which have the same colour: four from row `y` on.
void countFour(ivec2 corner, int x, int y) {
  bool atBorder = any(lessThan(corner, ivec2(around))) ||
                  any(greaterThan(corner + sides + around, extent_input));
  int first = (corner.x + x + corner.y + y) % 3 * planeSize + y * wide + x;
  float before = sumOfRow(first), next = sumOfRow(first + wide);
  [[unroll]] for (int i = 0; i < 4; ++i) {
    float middle = sumOfRow(first + 2 * wide);
    float after = sumOfRow(first + 3 * wide), last = sumOfRow(first + 4 * wide);
    float sum = fma(0.375, middle, fma(0.25, next + after, 0.0625 * (before + last)));
    countPixel(corner + ivec2(x, y + 3 * i), planes[first + 2 * wide + around], sum, atBorder);
    before = after;
    next = last;
    first += 3 * wide;
  }
}

// Any block of the i-th of `taken` equal parts, row by row.
int blockAt(int i, int taken, int blocks) {
  int whole = blocks / taken, rest = blocks % taken;
  int first = i * whole + i * rest / taken, next = (i + 1) * whole + (i + 1) * rest / taken;
  return first + int((uint(i) * 2654435761u >> 16) % uint(next - first));
}

void run(Pixel p) {
  int self = int(gl_LocalInvocationIndex);
  ivec2 grid = (extent_input + sides - 1) / sides;
  int blocks = grid.x * grid.y, taken = min(blocks, mostBlocks);
  if (int(gl_WorkGroupID.x) >= taken) { return; }
  for (int i = self; i < bins; i += threads) { counts[i] = 0u; }
  for (int i = int(gl_WorkGroupID.x); i < taken; i += workgroups) {
    int block = blockAt(i, taken, blocks);
    ivec2 corner = sides * ivec2(block % grid.x, block / grid.x);
    if (ownsPixel(min(corner + sides / 2, extent_input - 1))) {
      barrier();  // planes are no longer read
      readBlock(corner, self);
      barrier();
      for (int i = self; i < columnsOfFour; i += threads) { countFour(corner, i % sides.x, i / sides.x); }
    }
  }
  barrier();
  for (int i = self; i < bins; i += threads) {
    if (counts[i] != 0u) { atomicAdd(array_counts.data[i], counts[i]); }
  }
}
