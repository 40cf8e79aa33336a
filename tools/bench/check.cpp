#include "tools/bench/check.h"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lacuna {

std::vector<float> floatsOf(std::span<const std::byte> halves) {
  std::vector<float> values(halves.size() / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, &halves[2 * i], 2);
    values[i] = imath_half_to_float(bits);
  }
  return values;
}

test::Picture pictureOf(std::span<const float> values, Extent size, int components) {
  test::Picture picture(static_cast<int>(size.width), static_cast<int>(size.height), components);
  std::copy(values.begin(), values.end(), picture.values.begin());
  return picture;
}

double relativeError(std::span<const float> made, std::span<const float> expected) {
  double error = made.size() == expected.size() ? 0.0 : INFINITY, size = 0.0;
  for (size_t i = 0; i < std::min(made.size(), expected.size()); ++i) {
    const double difference = double{made[i]} - expected[i];
    error += difference * difference;
    size += double{expected[i]} * expected[i];
  }
  return error == 0.0 ? 0.0 : std::sqrt(error / size);
}

double ExpectedPicture::errorOf(std::span<const std::byte> halves) {
  const bool isFirst = first_.empty();
  if (isFirst) {
    first_.assign(halves.begin(), halves.end());
  }
  // Millions of conversions are omitted if the bits are equal.
  return !isFirst && std::equal(halves.begin(), halves.end(), first_.begin(), first_.end())
             ? 0.0
             : relativeError(floatsOf(halves), floatsOf(first_));
}

bool isRight(Json& row, double error, double allowed) {
  const bool right = error <= allowed;
  if (!right) {
    row["refused"] = fmt::format("wrong: relative error {:.1e}, expected {:.1e} at most", error, allowed);
    row["wrong"] = true;
  }
  return right;
}

}  // namespace lacuna
