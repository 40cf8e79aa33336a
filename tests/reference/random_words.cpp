#include "tests/reference/random_words.h"

#include <cmath>

namespace lacuna::test {

std::array<uint32_t, 4> pcg4d(std::array<uint32_t, 4> v) {
  for (uint32_t& word : v)
    word = word * 1664525U + 1013904223U;
  const auto mix = [&v] {
    v[0] += v[1] * v[3];
    v[1] += v[2] * v[0];
    v[2] += v[0] * v[1];
    v[3] += v[1] * v[2];
  };
  mix();
  for (uint32_t& word : v)
    word ^= word >> 16U;
  mix();
  return v;
}

double uniformSample(uint32_t word) {
  return ((word >> 8U) + 1.0) / 16777216.0;
}

std::array<double, 3> normalSamples(const std::array<uint32_t, 4>& words) {
  const double turn = 2.0 * std::acos(-1.0);
  const double first = std::sqrt(-2.0 * std::log(uniformSample(words[0])));
  const double second = std::sqrt(-2.0 * std::log(uniformSample(words[2])));
  return {first * std::cos(turn * uniformSample(words[1])), first * std::sin(turn * uniformSample(words[1])),
          second * std::cos(turn * uniformSample(words[3]))};
}

}  // namespace lacuna::test
