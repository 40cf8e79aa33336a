// Noise from the median of the finest residuals (Donoho 1995's robust estimate), found in a histogram over their
// base-two logarithm: 64 bins an octave from 2^-20 to 2^12, interpolated within the median's bin.
const float binsPerOctave = 64.0;
const float lowestOctave = -20.0;

// Standard deviation of unit white noise per channel, seen through: luminance (0.7496), the residual of a B3 spline
// (0.8907) and the median of absolute values (0.6745).
const float medianOfUnitNoise = 0.45034;

int bin(Inputs i, Pixel p) {
  float r = i.residual;
  if (isnan(r) || isinf(r)) { return -1; }
  return clamp(int((log2(max(r, 1e-30)) - lowestOctave) * binsPerOctave), 0, 2047);
}

void finish(uint total, inout Outputs o) {
  o.noise = 0.0;
  float below = 0.0;
  float middle = 0.5 * float(total);
  for (int b = 0; b < 2048; ++b) {
    float here = float(histogram(b));
    if (here > 0.0 && below + here >= middle) {
      float position = float(b) + (middle - below) / here;
      o.noise = exp2(position / binsPerOctave + lowestOctave) / medianOfUnitNoise;
      return;
    }
    below += here;
  }
}
