#pragma once
// Downsampling by a Gaussian and enlarging by Keys' cubic convolution, as in ray histogram fusion.

#include <vector>

namespace lacuna::test {

// Symmetric about the edge: -1 is 0, size is size - 1.
int mirrored(int index, int size);

struct Taps {
  int first = 0;  // place of the first one, perhaps outside
  std::vector<double> weights;
};

// Weights for an output pixel of an image 2^-scale as large: sigma = .55 sqrt(4^scale - 1), cut off at a
// hundredth.
Taps gaussianTaps(int x, int scale);

// Weights for an output pixel of an image of `to` pixels, made from one of `from` pixels: a = -1/2.
Taps keysTaps(int x, int from, int to);

}  // namespace lacuna::test
