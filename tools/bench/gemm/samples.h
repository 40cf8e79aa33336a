#pragma once
// Some elements of a product, in double precision: what is wrong is not timed.

#include <cstddef>
#include <span>
#include <vector>

#include "tools/bench/gemm/tasks.h"

namespace lacuna {

class GemmSamples {
 public:
  static constexpr size_t count = 256;

  // Chooses the places: the corners, and others at random, the same each time.
  explicit GemmSamples(const GemmShape& shape);

  // The whole factors, row by row, as halves.
  void setA(std::span<const std::byte> halves);
  void setB(std::span<const std::byte> halves);

  // By the Frobenius norm, relative, of a product in halves; NaN or infinite where an element is.
  double errorOf(std::span<const std::byte> halves) const;

 private:
  struct Place {
    uint32_t row, column;
  };
  GemmShape shape_;
  std::vector<Place> places_;
  std::vector<float> rows_, columns_;  // of the places, p numbers each
};

// What errorOf() may be. Sums in f16 are rounded up to p times.
double allowedError(const GemmTask& task);

}  // namespace lacuna
