#include "tests/references/picture.h"

#include <Imath/half.h>

namespace lacuna::test {

double rounded(double value, Format format) {
  return format == Format::f16 ? double{Imath::half(static_cast<float>(value))} : value;
}

void roundTo(Picture& picture, Format format) {
  for (double& value : picture.values) {
    value = rounded(value, format);
  }
}

}  // namespace lacuna::test
