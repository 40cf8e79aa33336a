#pragma once
// Plain double-precision images for the CPU versions of modules, which tests and the lab compare
// with the device's results.

#include <span>
#include <vector>

#include "graph/values/image_type.h"

namespace lacuna::test {

// The weights of the B3 spline of à-trous wavelets, in one direction.
inline constexpr double spline[5] = {1.0 / 16, 1.0 / 4, 3.0 / 8, 1.0 / 4, 1.0 / 16};

struct Picture {
  int width = 0;
  int height = 0;
  int components = 0;
  std::vector<double> values;

  Picture() = default;
  Picture(int w, int h, int n) : width(w), height(h), components(n) {
    values.resize(static_cast<size_t>(w) * static_cast<size_t>(h) * static_cast<size_t>(n));
  }
  size_t index(int x, int y) const {
    return (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) *
           static_cast<size_t>(components);
  }
  double* at(int x, int y) { return &values[index(x, y)]; }
  const double* at(int x, int y) const { return &values[index(x, y)]; }
  bool contains(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
};

// Of the absolute values of those that are finite; 0 if none is.
double largestOf(std::span<const double> values);

// Rounds to the nearest value of a format; f32 counts as exact, relative to these tests' bounds.
double rounded(double value, Format format);
void roundTo(Picture& picture, Format format);

}  // namespace lacuna::test
