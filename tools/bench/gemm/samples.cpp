#include "tools/bench/gemm/samples.h"

#include <Imath/half.h>

#include <cmath>
#include <cstring>
#include <random>

namespace lacuna {
namespace {

float halfAt(std::span<const std::byte> halves, size_t index) {
  uint16_t bits = 0;
  std::memcpy(&bits, halves.subspan(index * sizeof bits, sizeof bits).data(), sizeof bits);
  return Imath::half(Imath::half::FromBits, bits);
}

}  // namespace

GemmSamples::GemmSamples(const GemmShape& shape) : shape_(shape) {
  const uint32_t bottom = shape.n - 1, right = shape.m - 1;
  places_ = {{0, 0}, {0, right}, {bottom, 0}, {bottom, right}};
  std::mt19937 random(1);  // the same places each time
  std::uniform_int_distribution<uint32_t> row(0, bottom), column(0, right);
  while (places_.size() < count) {
    const uint32_t y = row(random);
    places_.push_back({y, column(random)});
  }
  rows_.resize(count * shape.p);
  columns_.resize(count * shape.p);
}

void GemmSamples::setA(std::span<const std::byte> halves) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < shape_.p; ++k) {
      rows_[i * shape_.p + k] = halfAt(halves, size_t{places_[i].row} * shape_.p + k);
    }
  }
}

void GemmSamples::setB(std::span<const std::byte> halves) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < shape_.p; ++k) {
      columns_[i * shape_.p + k] = halfAt(halves, k * shape_.m + places_[i].column);
    }
  }
}

double GemmSamples::errorOf(std::span<const std::byte> halves) const {
  double wrong = 0.0, right = 0.0;
  for (size_t i = 0; i < count; ++i) {
    double expected = 0.0;
    for (size_t k = i * shape_.p; k < (i + 1) * shape_.p; ++k) {
      expected += static_cast<double>(rows_[k]) * columns_[k];
    }
    const double found = halfAt(halves, size_t{places_[i].row} * shape_.m + places_[i].column);
    wrong += (found - expected) * (found - expected);
    right += expected * expected;
  }
  return std::sqrt(wrong / right);
}

double allowedError(const GemmTask& task) {
  return task.halfSums ? 2e-2 : 1e-3;
}

}  // namespace lacuna
