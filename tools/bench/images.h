#pragma once
// Images for benchmarks: smooth shapes with noise, and the planes that belong to them.

#include "tools/bench/lab.h"

namespace lacuna {

// All of one size, half floats, depth in floats: i-memory:colour, :normal and :depth.
struct BenchImages {
  explicit BenchImages(Extent extent);

  Extent extent;
  std::map<std::string, ValueType> types;
  BenchPixels pixels;
};

}  // namespace lacuna
