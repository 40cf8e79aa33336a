// The noise of the output. If it is unknown: a line a x + b through the residuals' low quantiles (after
// Donoho's robust estimate), one for each row of the histogram. Texture adds to noise, so rows above the line
// count less than those below it.
#include "camera.glsl"

const int rows = 64;
const int bins = 32;
const float quantile = 0.15;      // low, because a picture's smooth parts show its noise
const float ofNormal = 0.12226;   // that quantile of the smaller distance, in normal noise of 1
const uint fewest = 100u;
const float brightest = 0.9;      // above it, the sensor may be full
const float above = 0.15;         // weight of rows above the line

shared float variance[rows];      // logarithms
shared float weight[rows];
shared float cost[rows];
shared float level[rows];

float lightOf(int row) {
  float x = (float(row) + 0.5) / float(rows);
  return x * x;
}

// The bin of the quantile, in octaves, and the place in it.
void findVariance(int row) {
  uint total = 0u;
  for (int k = 0; k < bins; ++k) { total += array_histogram.data[bins * row + k]; }
  float wanted = quantile * float(total);
  float before = 0.0;
  float place = 0.0;
  for (int k = 0; k < bins; ++k) {
    float count = float(array_histogram.data[bins * row + k]);
    if (before < wanted && before + count >= wanted) { place = float(k) + (wanted - before) / count; }
    before += count;
  }
  variance[row] = 2.0 * log(exp2(0.5 * (place - 32.0)) / ofNormal);
  weight[row] = total >= fewest && lightOf(row) < brightest ? sqrt(float(total)) : 0.0;
}

float offsetOf(int i) { return exp2(0.25 * float(i) - 16.0); }

// The error over all rows, relative to the line with this offset through one of them.
float costOf(float offset, float logA) {
  float sum = 0.0;
  for (int k = 0; k < rows; ++k) {
    float d = variance[k] - log(lightOf(k) + offset) - logA;
    sum += weight[k] * (d > 0.0 ? above * d : -d);
  }
  return sum;
}

void fit(int self) {
  float offset = offsetOf(self);
  cost[self] = 1e30;
  level[self] = 0.0;
  for (int k = 0; k < rows; ++k) {
    float logA = variance[k] - log(lightOf(k) + offset);
    float c = weight[k] > 0.0 ? costOf(offset, logA) : 1e30;
    if (c < cost[self]) {
      cost[self] = c;
      level[self] = logA;
    }
  }
}

vec2 estimated() {
  int best = 0;
  for (int i = 1; i < rows; ++i) { best = cost[i] < cost[best] ? i : best; }
  float a = cost[best] < 1e30 ? exp(level[best]) : 0.0;
  return a * vec2(1.0, offsetOf(best));
}

// White balance multiplies noise, too: variance a x + b becomes g a x + g^2 b. eaw has one curve for all
// colours: the mean.
void store(vec2 noise) {
  vec3 g = gains();
  float a = noise.x * dot(g, vec3(1.0 / 3.0));
  float b = noise.y * dot(g, g) / 3.0;
  float offset = clamp(b / max(a, 1e-12), 1e-6, 100.0);
  array_noise.data[0] = sqrt(a + b);
  array_noise.data[1] = 0.5;
  array_noise.data[2] = offset;
  array_noise.data[3] = 0.0;
  // The signal at which photon noise exceeds other noise, limited to a little above the visible noise in the
  // dark.
  array_offset.data[0] = 0.001 + min(offset, 2.0 * sqrt(b));
}

void run(Pixel p) {
  int self = int(gl_LocalInvocationID.x), threads = int(gl_WorkGroupSize.x);
  for (int row = self; row < rows; row += threads) { findVariance(row); }
  barrier();
  for (int row = self; row < rows; row += threads) { fit(row); }
  barrier();
  if (self == 0) {
    vec2 known = knownNoise();
    vec2 noise = known == vec2(0.0) ? estimated() : known;
    array_a.data[0] = noise.x;
    array_b.data[0] = noise.y;
    float numbers[5] = float[](gains().r, gains().g, gains().b, noise.x, noise.y);
    for (int i = 0; i < 5; ++i) { array_sensor.data[i] = numbers[i]; }
    store(noise);
  }
}
