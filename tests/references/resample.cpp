#include "tests/references/resample.h"

#include <cmath>

namespace lacuna::test {

int mirrored(int index, int size) {
  while (index < 0 || index >= size)
    index = index < 0 ? -1 - index : 2 * size - 1 - index;
  return index;
}

Taps gaussianTaps(int x, int scale) {
  const double step = std::pow(2.0, scale);
  const double sigma = 0.55 * std::sqrt(step * step - 1.0);
  const int half = static_cast<int>(std::ceil(sigma * std::sqrt(4.0 * std::log(10.0))));
  const double centre = (x + 0.5) * step;
  Taps taps;
  taps.first = static_cast<int>(std::floor(centre)) - half;
  double sum = 0.0;
  for (int i = 0; i <= 2 * half; ++i) {
    const double d = (taps.first + i - (centre - 0.5)) / sigma;
    taps.weights.push_back(std::exp(-d * d / 2));
    sum += taps.weights.back();
  }
  for (double& weight : taps.weights)
    weight /= sum;
  return taps;
}

Taps keysTaps(int x, int from, int to) {
  const double at = (x + 0.5) * from / to - 0.5;
  Taps taps;
  taps.first = static_cast<int>(std::floor(at)) - 1;
  for (int i = 0; i < 4; ++i) {
    const double d = std::abs(at - (taps.first + i));
    taps.weights.push_back(d < 1 ? (1.5 * d - 2.5) * d * d + 1 : ((-0.5 * d + 2.5) * d - 4) * d + 2);
  }
  return taps;
}

}  // namespace lacuna::test
