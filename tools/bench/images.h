#pragma once
// Images for benchmarks: smooth shapes with noise, and the planes that would lie behind them.

#include "tools/bench/lab.h"

namespace lacuna {

// Of one size, half floats, depth in floats: i-memory:colour, :normal and :depth.
struct BenchImages {
  explicit BenchImages(Extent extent);

  Extent extent;
  std::map<std::string, ValueType> types;
  BenchPixels pixels;
};

}  // namespace lacuna
