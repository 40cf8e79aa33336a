#include "tests/references/picture.h"

#include <Imath/half.h>

#include <algorithm>
#include <cmath>

namespace lacuna::test {

double largestOf(std::span<const double> values) {
  double largest = 0.0;
  for (const double v : values)
    largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
  return largest;
}

double rounded(double value, Format format) {
  return format == Format::f16 ? double{Imath::half(static_cast<float>(value))} : value;
}

void roundTo(Picture& picture, Format format) {
  for (double& value : picture.values)
    value = rounded(value, format);
}

}  // namespace lacuna::test
