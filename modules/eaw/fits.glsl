// The curve sd(x) = noise * ((x + offset) / (1 + offset))^power that fits the medians best. A workgroup each fits a line
// to the logarithms for 32 offsets, and for values below zero that were cut off or not; an invocation has a row of medians. Texture only adds to residuals, so
// medians above the line weigh less than those below it; errors count absolutely, not squared, by weights that are found
// again in each round.

const float greatestPower = 0.6;  // sRGB's is 0.58, photons' 0.5; more is texture of bright things
const float weightAbove = 0.25;
const float weightBelow = 0.75;
const float leastError = 0.03;
const int rounds = 6;
const float mostAtZero = 1.42;   // times the mean: residuals where most pixels are at a zero that others were cut off to
const float belowZero = 1.7;     // residuals that there can't be without values below zero

shared float brightness[64];
shared float excess[64];  // deviation over brightness
shared float pixels[64];  // 0: the row is not known
shared vec4 terms[64];    // of the sums over rows
shared float products[64];

// What cutting off took from noise that then is `r` times its mean: by trial with noise in sRGB values.
float cutOff(float r) { return r > 1.1 ? log(1.0 + 0.45 * ((r - 1.1) / 0.32) * ((r - 1.1) / 0.32)) : 0.0; }

float errorWeight(float error) { return error > 0.0 ? weightAbove : weightBelow; }

struct Line { float base; float power; };

float errorOf(float deviation, float u, float cut, Line line) { return deviation + cut - line.base - line.power * u; }

// One round: the line of least squares, by the weights that its errors had.
Line refit(float w, float u, float v) {
  int self = int(gl_LocalInvocationIndex);
  terms[self] = vec4(w, w * u, w * v, w * u * u);
  products[self] = w * u * v;
  barrier();
  vec4 sums = vec4(0.0);
  float xy = 0.0;
  for (int k = 0; k < 64; ++k) {
    sums += terms[k];
    xy += products[k];
  }
  barrier();
  Line line;
  float spread = sums.x * sums.w - sums.y * sums.y;
  line.power =
      spread > 1e-6 * sums.x * sums.x ? clamp((sums.x * xy - sums.y * sums.z) / spread, 0.0, greatestPower) : 0.0;
  line.base = (sums.z - line.power * sums.y) / sums.x;
  return line;
}

void run(Pixel p) {
  int self = int(gl_LocalInvocationIndex);
  int candidate = int(gl_WorkGroupID.x);
  float measured = array_deviations.data[self];
  bool known = array_counts.data[self] > 0.0 && measured > 0.0;
  float own = exp2(0.5 * (float(self) + 0.5) - 20.0);
  brightness[self] = own;
  excess[self] = known ? measured / own : 0.0;
  pixels[self] = known ? array_counts.data[self] : 0.0;
  barrier();
  // Noise that is larger than what it is on leads below zero, unless that was cut off.
  float dark = 0.0;
  float negative = array_counts.data[64];
  float all = 0.0;
  float sum = 0.0;
  for (int k = 0; k < 64; ++k) {
    dark += excess[k] > 1.0 ? pixels[k] : 0.0;
    negative += excess[k] > belowZero ? pixels[k] : 0.0;
    all += pixels[k];
    sum += pixels[k] * brightness[k];
  }
  bool mayBeCut = negative < 0.01 * dark;
  bool isCut = candidate >= 32;
  float offset = exp2(0.5 * float(candidate % 32) - 12.0) * (all > 0.0 ? sum / all : 1.0);
  float counted = mayBeCut && excess[self] > mostAtZero ? 0.0 : pixels[self];
  float u = log(own + offset);
  float deviation = known ? log(measured) : 0.0;
  float cut = isCut ? cutOff(excess[self]) : 0.0;
  Line line = Line(0.0, 0.0);
  for (int i = 0; i < rounds; ++i) {
    float e = errorOf(deviation, u, cut, line);
    float v = e + line.base + line.power * u;
    line = refit(counted * (i == 0 ? 1.0 : errorWeight(e) / max(abs(e), leastError)), u, v);
  }
  float e = errorOf(deviation, u, cut, line);
  products[self] = counted * errorWeight(e) * abs(e);
  barrier();
  float cost = 0.0;
  for (int k = 0; k < 64; ++k) { cost += products[k]; }
  bool valid = !isnan(cost) && (mayBeCut || !isCut);
  if (self == 0) {
    array_fits.data[4 * candidate] = valid ? cost : -1.0;
    array_fits.data[4 * candidate + 1] = line.base;
    array_fits.data[4 * candidate + 2] = line.power;
    array_fits.data[4 * candidate + 3] = offset;
  }
}
