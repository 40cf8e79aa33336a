#pragma once
// Input of bilateral filters: a picture's colours in the filter's units, which are 8-bit levels for integers
// and for others the values themselves, or CIE Lab.

#include <array>
#include <utility>
#include <vector>

#include "tests/reference/bilateral.h"

namespace lacuna::test {

using Colour = std::array<double, 3>;

bool isInteger(Format format);

// One component for each that is not alpha.
struct Colours {
  int width = 0, height = 0, components = 0;
  std::vector<Colour> values;
  const Colour& at(int x, int y) const {
    return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  Colour& at(int x, int y) { return const_cast<Colour&>(std::as_const(*this).at(x, y)); }
};

Colours coloursOf(const Stored& stored, bool lab);

// The opposite, with the input's alpha: not rounded, but clamped to 0 to 1 for integer formats.
Picture pictureWith(const Colours& colours, const Stored& input, bool lab);

}  // namespace lacuna::test
