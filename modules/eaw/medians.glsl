// The median residual at each brightness (Donoho 1995's robust estimate), interpolated within its bin, as a standard
// deviation of the noise. An invocation takes a row of the histogram; the last one the pixels below zero.

// Of unit white noise, seen through the residual of a B3 spline (0.8907) and the median of absolute values (0.6745).
const float medianOfUnitNoise = 0.60078;

uint countIn(int row, int bin) { return array_histogram.data[32 * row + bin]; }

float countOf(int row) {
  uint count = 0u;
  for (int b = 0; b < 32; ++b) { count += countIn(row, b); }
  return float(count);
}

// The place of the median among the row's bins, of which there are `count` counts.
float medianPlace(int row, float count) {
  uint below = 0u;
  for (int b = 0; b < 32; ++b) {
    uint here = countIn(row, b);
    if (here > 0u && float(below + here) >= 0.5 * count) { return float(b) + (0.5 * count - float(below)) / float(here); }
    below += here;
  }
  return 32.0;
}

void run(Pixel p) {
  int row = p.position.x;
  if (row > 64) { return; }
  float count = row < 64 ? countOf(row) : float(array_histogram.data[2048]);
  float deviation = 0.0;
  if (row < 64 && count > 0.0) {
    float place = medianPlace(row, count);
    // Ratios in the last bin say nothing.
    float ratio = place > 31.0 ? 0.0 : exp2(0.5 * place - 12.0);
    deviation = ratio * exp2(0.5 * (float(row) + 0.5) - 20.0) / medianOfUnitNoise;
  }
  array_counts.data[row] = count;
  array_deviations.data[row] = deviation;
}
