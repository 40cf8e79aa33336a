// The median residual at each brightness (Donoho 1995's robust estimate), as a standard deviation of the
// noise: from a row of the histogram (residual.glsl), interpolated within its bin.

// For unit white noise, seen through the residual of a B3 spline (0.8907) and the median of absolute values
// (0.6745).
const float medianOfUnitNoise = 0.60078;

float brightnessOf(int row) { return exp2(0.5 * (float(row) + 0.5) - 20.0); }

struct Row {
  float count;      // of pixels
  float deviation;  // 0: not known
};

Row rowOf(int row) {
  uint bins[32];
  uint count = 0u;
  for (int b = 0; b < 32; ++b) {
    bins[b] = array_histogram.data[32 * row + b];
    count += bins[b];
  }
  float middle = 0.5 * float(count);
  float start = 32.0;  // the median's bin
  uint below = 0u;     // counts in the bins before it
  uint here = 1u;      // and in it
  uint sum = 0u;
  for (int b = 0; b < 32; ++b) {
    bool isMedian = start == 32.0 && bins[b] > 0u && float(sum + bins[b]) >= middle;
    start = isMedian ? float(b) : start;
    below = isMedian ? sum : below;
    here = isMedian ? bins[b] : here;
    sum += bins[b];
  }
  float place = start + (middle - float(below)) / float(here);
  // Ratios in the last bin are unknown.
  float ratio = place > 31.0 ? 0.0 : exp2(0.5 * place - 12.0);
  return Row(float(count), ratio * brightnessOf(row) / medianOfUnitNoise);
}
