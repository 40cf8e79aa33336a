// The curve sd(x) = noise * ((x + offset) / (1 + offset))^power that fits the medians best. Each 64 invocations
// fit a line to the logarithms for one of 32 offsets, with or without clipped values below zero, or only with
// them in bounded pictures; an invocation has a row's median. Texture only adds to residuals, so medians above the
// line weigh less than those below it; errors count absolutely, not squared, by weights that are computed
// again in each round.

#include "medians.glsl"

// Largest power: sRGB's is 0.58, photons' 0.5; a larger one comes from texture of bright objects.
const float greatestPower = 0.6;
const float weightAbove = 0.25;
const float weightBelow = 0.75;
const float leastError = 0.03;
const int rounds = 6;
// residuals below this share of the mean: most pixels are 0, because negative values were clipped
const float mostAtZero = 1.42;
const float belowZero = 1.7;     // residuals that only occur with values below zero
const float mostAtWhite = 1.0;   // the same over the distance from white, where noise is cut off, too

struct Terms { vec4 four; float fifth; };

const int rows = 64;
const int fits = int(gl_WorkGroupSize.x) / rows;
shared Terms terms[rows * fits];
shared Terms partial[8 * fits];

Terms plus(Terms a, Terms b) { return Terms(a.four + b.four, a.fifth + b.fifth); }

// Sum over a fit's rows: eight invocations add eight values each, then all invocations add the eight sums.
Terms sumOf(Terms own) {
  int self = int(gl_LocalInvocationIndex);
  terms[self] = own;
  barrier();
  if (self < 8 * fits) {
    Terms sum = terms[8 * self];
    for (int k = 1; k < 8; ++k) { sum = plus(sum, terms[8 * self + k]); }
    partial[self] = sum;
  }
  barrier();
  int first = 8 * (self / rows);
  Terms sum = partial[first];
  for (int k = 1; k < 8; ++k) { sum = plus(sum, partial[first + k]); }
  return sum;
}

// The part of noise that clipping removes, for noise that is `r` times its mean; found by experiments with
// noise in sRGB values.
float cutOff(float r) { return r > 1.1 ? log(1.0 + 0.45 * ((r - 1.1) / 0.32) * ((r - 1.1) / 0.32)) : 0.0; }

// The same for bounded pictures. It has no limit at `mostAtZero`, which the other needs, since there it also
// decides whether values are missing.
float cutOffBounded(float r) { return 0.32 * log(max(0.287 / max(mostAtZero - r, 0.01), 1.0)); }

float errorWeight(float error) { return error > 0.0 ? weightAbove : weightBelow; }

struct Line { float base; float power; };

float errorOf(float deviation, float u, float cut, Line line) {
  return deviation + cut - line.base - line.power * u;
}

// One round: the line of least squares, with the weights from its errors.
Line refit(float w, float u, float v) {
  Terms all_ = sumOf(Terms(vec4(w, w * u, w * v, w * u * u), w * u * v));
  vec4 sums = all_.four;
  float xy = all_.fifth;
  Line line;
  float spread = sums.x * sums.w - sums.y * sums.y;
  line.power = spread > 1e-6 * sums.x * sums.x
                   ? clamp((sums.x * xy - sums.y * sums.z) / spread, 0.0, greatestPower)
                   : 0.0;
  line.base = (sums.z - line.power * sums.y) / sums.x;
  return line;
}

void run(Pixel p) {
  int self = p.position.x % rows;
  int candidate = p.position.x / rows;
  Row row = rowOf(self);
  bool known = row.count > 0.0 && row.deviation > 0.0;
  float own = brightnessOf(self);
  float excess = known ? row.deviation / own : 0.0;
  float pixels = known ? row.count : 0.0;
  // Noise that is larger than its signal goes below zero, unless it was clipped.
  vec4 sums = sumOf(Terms(pixels * vec4(excess > 1.0, excess > belowZero, 1.0, own), 0.0)).four;
  float negative = float(array_histogram.data[2048]) + sums.y;
  bool mayBeCut = BOUNDED == 1 || negative < 0.01 * sums.x;
  bool isCut = candidate >= 32;
  float offset = exp2(0.5 * float(candidate % 32) - 12.0) * (sums.z > 0.0 ? sums.w / sums.z : 1.0);
  float counted = mayBeCut && excess > mostAtZero ? 0.0 : pixels;
  if (BOUNDED == 1 && row.deviation > mostAtWhite * (1.0 - own)) { counted = 0.0; }
  float u = log(own + offset);
  float deviation = known ? log(row.deviation) : 0.0;
  float cut = !isCut ? 0.0 : BOUNDED == 1 ? cutOffBounded(excess) : cutOff(excess);
  Line line = Line(0.0, 0.0);
  for (int i = 0; i < rounds; ++i) {
    float e = errorOf(deviation, u, cut, line);
    float v = e + line.base + line.power * u;
    line = refit(counted * (i == 0 ? 1.0 : errorWeight(e) / max(abs(e), leastError)), u, v);
  }
  float e = errorOf(deviation, u, cut, line);
  float cost = sumOf(Terms(vec4(0.0), counted * errorWeight(e) * abs(e))).fifth;
  bool valid = !isnan(cost) && (mayBeCut || !isCut) && (BOUNDED == 0 || isCut);
  if (self == 0) {
    array_fits.data[4 * candidate] = valid ? cost : -1.0;
    array_fits.data[4 * candidate + 1] = line.base;
    array_fits.data[4 * candidate + 2] = line.power;
    array_fits.data[4 * candidate + 3] = offset;
  }
}
