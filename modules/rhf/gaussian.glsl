// Downsampling by 2^s with a Gaussian: sigma = 0.55 sqrt(4^s - 1), cut off where it is below a hundredth.
// Delbracio et al. 2014, section 4. The native code defines STEP = 2^s, and `reach` and `sigma`. Taps lie
// evenly around a corner of pixels, so that each output pixel has the same weights.

const int taps = 2 * reach + 1;

float gaussianWeight(int tap) {
  float x = (float(tap - reach) + 0.5) / sigma;
  return exp(-0.5 * x * x);
}

// Symmetric about the edge: -1 is 0.
int mirrored(int i, int size) {
  int m = (i < 0 ? -1 - i : i) % (2 * size);  // % is undefined below 0
  return m < size ? m : 2 * size - 1 - m;
}

// The first tap of an output pixel.
int firstTap(int x) { return x * STEP + STEP / 2 - reach; }
