// The median residual at each brightness (Donoho 1995's robust estimate), interpolated within its bin, as a standard
// deviation of the noise.

// Of unit white noise, seen through the residual of a B3 spline (0.8907) and the median of absolute values (0.6745).
const float medianOfUnitNoise = 0.60078;

int bin(Inputs i, Pixel p) { return int(i.bin); }

// The first bin of a row up to and with which at least `wanted` were counted.
int quantile(int row, float wanted) {
  int low = 32 * row;
  int high = low + 31;
  while (low < high) {
    int middle = (low + high) / 2;
    if (float(below(middle + 1)) >= wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void finish(uint total, inout Outputs o) {
  for (int row = 0; row < 64; ++row) {
    float before = float(below(32 * row));
    float count = float(below(32 * row + 32)) - before;
    o.counts[row] = count;
    o.deviations[row] = 0.0;
    if (count > 0.0) {
      float wanted = before + 0.5 * count;
      int b = quantile(row, wanted);
      float position = float(b - 32 * row) + (wanted - float(below(b))) / float(histogram(b));
      // Ratios beyond the last bin say nothing.
      float ratio = b == 32 * row + 31 ? 0.0 : exp2(0.5 * position - 12.0);
      o.deviations[row] = ratio * exp2(0.5 * (float(row) + 0.5) - 20.0) / medianOfUnitNoise;
    }
  }
  o.counts[64] = float(histogram(2048));
  o.deviations[64] = 0.0;
}
