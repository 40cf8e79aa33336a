#include "tools/bench/gemm/samples.h"

#include <Imath/half.h>

#include <cstring>
#include <random>

#include "tools/bench/check.h"

namespace lacuna {
namespace {

float halfAt(std::span<const std::byte> halves, size_t index) {
  uint16_t bits = 0;
  std::memcpy(&bits, &halves[2 * index], sizeof bits);
  return imath_half_to_float(bits);
}

}  // namespace

GemmSamples::GemmSamples(const GemmShape& shape, std::span<const std::byte> a, std::span<const std::byte> b)
    : shape_(shape) {
  const size_t bottom = shape.n - 1, right = shape.m - 1;
  places_ = {{0, 0}, {0, right}, {bottom, 0}, {bottom, right}};
  std::mt19937 random(1);  // the same places each time
  std::uniform_int_distribution<size_t> row(0, bottom), column(0, right);
  while (places_.size() < count) {
    const size_t y = row(random);
    places_.push_back({y, column(random)});
  }
  for (Place& place : places_) {
    for (size_t k = 0; k < shape.p; ++k) {
      place.expected +=
          double{halfAt(a, place.row * shape.p + k)} * double{halfAt(b, k * shape.m + place.column)};
    }
  }
}

double GemmSamples::errorOf(std::span<const std::byte> halves) const {
  std::vector<float> made, expected;
  for (const Place& place : places_) {
    made.push_back(halfAt(halves, place.row * shape_.m + place.column));
    expected.push_back(static_cast<float>(place.expected));
  }
  return relativeError(made, expected);
}

double allowedError(const GemmTask& task) {
  return task.halfSums ? 2e-2 : 1e-3;
}

}  // namespace lacuna
