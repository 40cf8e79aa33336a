#pragma once
// Some elements of a product, in double precision: wrong products are not timed.

#include <cstddef>
#include <span>
#include <vector>

#include "tools/bench/gemm/tasks.h"

namespace lacuna {

class GemmSamples {
 public:
  static constexpr size_t count = 256;

  // Takes the whole factors, row by row, as halves. Chooses the places: the corners, and others at random,
  // the same each time.
  GemmSamples(const GemmShape& shape, std::span<const std::byte> a, std::span<const std::byte> b);

  // Relative error of a product in halves, by the Frobenius norm; NaN or infinite if an element is.
  double errorOf(std::span<const std::byte> halves) const;

 private:
  struct Place {
    size_t row, column;
    double expected = 0.0;
  };
  GemmShape shape_;
  std::vector<Place> places_;
};

// The allowed errorOf(). Sums in f16 are rounded up to p times.
double allowedError(const GemmTask& task);

}  // namespace lacuna
