#pragma once
// Whether the measured schedule computes the right result: wrong ones are not timed.

#include <cstddef>
#include <span>
#include <vector>

#include "tests/references/picture.h"
#include "tools/timing/result_table.h"

namespace lacuna {

std::vector<float> floatsOf(std::span<const std::byte> halves);
test::Picture pictureOf(std::span<const float> values, Extent size, int components);

// The error by the Frobenius norm. NaN if some value is; infinite if sizes differ.
double relativeError(std::span<const float> made, std::span<const float> expected);

// The first result, in halves, which the others must equal.
class ExpectedPicture {
 public:
  bool isThere() const { return !first_.empty(); }
  // As relativeError(); 0 for the first picture, or NaN.
  double errorOf(std::span<const std::byte> halves);

 private:
  std::vector<std::byte> first_;
};

// Whether `error` is at most `allowed`. Marks a row as wrong; NaN is wrong, too.
bool isRight(Json& row, double error, double allowed);

}  // namespace lacuna
