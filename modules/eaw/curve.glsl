// The curve sd(x) = noise * ((x + offset) / (1 + offset))^power that fits the medians best. An invocation each fits a line
// to the logarithms for 32 offsets, and for values below zero that were cut off or not. Texture only adds to residuals, so
// medians above the line weigh less than those below it; errors count absolutely, not squared, by weights that are found
// again in each round.

const float greatestPower = 0.6;  // sRGB's is 0.58, photons' 0.5; more is texture of bright things
const float weightAbove = 0.25;
const float weightBelow = 0.75;
const float leastError = 0.03;
const int rounds = 6;
const float mostAtZero = 1.42;   // times the mean: residuals where most pixels are at a zero that others were cut off to
const float belowZero = 1.7;     // residuals that there can't be without values below zero
const float clearlyBetter = 0.85;

shared bool known[64];
shared float brightness[64];  // of the rows that are known, in order, here and below
shared float deviation[64];   // natural logarithm
shared float excess[64];      // deviation over brightness
shared float pixels[64];
shared float cost[64];

struct Line { float base; float power; float cost; };

// What cutting off took from noise that then is `r` times its mean: by trial with noise in sRGB values.
float cutOff(float r) { return r > 1.1 ? log(1.0 + 0.45 * ((r - 1.1) / 0.32) * ((r - 1.1) / 0.32)) : 0.0; }

float errorWeight(float error) { return error > 0.0 ? weightAbove : weightBelow; }

float pixelsOf(int k, bool mayBeCut) { return mayBeCut && excess[k] > mostAtZero ? 0.0 : pixels[k]; }

float errorOf(int k, Line line, float offset, bool isCut) {
  return deviation[k] + (isCut ? cutOff(excess[k]) : 0.0) - line.base - line.power * log(brightness[k] + offset);
}

Line fitLine(int rows, float offset, bool mayBeCut, bool isCut) {
  Line line = Line(0.0, 0.0, 0.0);
  for (int i = 0; i < rounds; ++i) {
    float sum = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < rows; ++k) {
      float u = log(brightness[k] + offset);
      float e = errorOf(k, line, offset, isCut);
      float v = e + line.base + line.power * u;
      float w = pixelsOf(k, mayBeCut) * (i == 0 ? 1.0 : errorWeight(e) / max(abs(e), leastError));
      sum += w;
      x += w * u;
      y += w * v;
      xx += w * u * u;
      xy += w * u * v;
    }
    float spread = sum * xx - x * x;
    line.power = spread > 1e-6 * sum * sum ? clamp((sum * xy - x * y) / spread, 0.0, greatestPower) : 0.0;
    line.base = (y - line.power * x) / sum;
  }
  for (int k = 0; k < rows; ++k) {
    float e = errorOf(k, line, offset, isCut);
    line.cost += pixelsOf(k, mayBeCut) * errorWeight(e) * abs(e);
  }
  return line;
}

void store(float noise, float power, float offset, float cut) {
  array_noise.data[0] = noise;
  array_power.data[0] = power;
  array_offset.data[0] = offset;
  array_clipped.data[0] = cut;
  array_curve.data[0] = noise;
  array_curve.data[1] = power;
  array_curve.data[2] = offset;
  array_curve.data[3] = cut;
}

void run(Pixel p) {
  int self = p.position.x;
  known[self] = array_counts.data[self] > 0.0 && array_deviations.data[self] > 0.0;
  barrier();
  int before = 0;
  int rows = 0;
  for (int k = 0; k < 64; ++k) {
    before += known[k] && k < self ? 1 : 0;
    rows += known[k] ? 1 : 0;
  }
  if (known[self]) {
    brightness[before] = exp2(0.5 * (float(self) + 0.5) - 20.0);
    deviation[before] = log(array_deviations.data[self]);
    excess[before] = array_deviations.data[self] / brightness[before];
    pixels[before] = array_counts.data[self];
  }
  barrier();
  // Noise that is larger than what it is on leads below zero, unless that was cut off.
  float dark = 0.0;
  float negative = array_counts.data[64];
  float all = 0.0;
  float sum = 0.0;
  for (int k = 0; k < rows; ++k) {
    dark += excess[k] > 1.0 ? pixels[k] : 0.0;
    negative += excess[k] > belowZero ? pixels[k] : 0.0;
    all += pixels[k];
    sum += pixels[k] * brightness[k];
  }
  bool mayBeCut = negative < 0.01 * dark;
  bool isCut = self >= 32;
  float offset = exp2(0.5 * float(self % 32) - 12.0) * (all > 0.0 ? sum / all : 1.0);
  Line line = fitLine(rows, offset, mayBeCut, isCut);
  bool valid = !isnan(line.cost) && (mayBeCut || !isCut);
  cost[self] = valid ? line.cost / (isCut ? clearlyBetter : 1.0) : 1e30;
  barrier();
  int best = 0;
  for (int k = 1; k < 64; ++k) {
    best = cost[k] < cost[best] ? k : best;
  }
  if (self == best) {
    float noise = exp(line.base + line.power * log(1.0 + offset));
    bool found = valid && !isnan(noise) && !isinf(noise);
    store(found ? noise : 0.0, found ? line.power : 0.0, offset, found && isCut ? 1.0 : 0.0);
  }
}
