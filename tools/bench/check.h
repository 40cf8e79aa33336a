#pragma once
// Whether what is measured computes what it should: what is wrong is not timed.

#include <cstddef>
#include <span>
#include <vector>

#include "tests/references/picture.h"
#include "tools/timing/result_table.h"

namespace lacuna {

std::vector<float> floatsOf(std::span<const std::byte> halves);
test::Picture pictureOf(std::span<const float> values, Extent size, int components);

// By the Frobenius norm. Not a number where some value isn't; infinite where sizes differ.
double relativeError(std::span<const float> made, std::span<const float> expected);

// What the first of several made, all in halves, and the others must make.
class ExpectedPicture {
 public:
  bool isThere() const { return !first_.empty(); }
  // As relativeError(); of the first picture 0, or not a number.
  double errorOf(std::span<const std::byte> halves);

 private:
  std::vector<std::byte> first_;
};

// Whether `error` is `allowed` at most. A row that is wrong says so; not a number is wrong, too.
bool isRight(Json& row, double error, double allowed);

}  // namespace lacuna
