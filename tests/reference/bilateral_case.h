#pragma once
// Random settings of the bilateral filter as graphs, for `bilateral` and `bilateral-separable`.

#include "tests/reference/bilateral.h"

namespace lacuna::test {

struct BilateralCase {
  std::string module = "bilateral";
  Bilateral filter;
  Image input;
  std::optional<Image> guide;

  MemoryGraph graph() const;
  std::string text() const;
  Stored storedInput() const { return {pictureOf(input), input.type}; }
  std::optional<Stored> storedGuide() const;
};

// Any format and channels, now and then a guide, special values, two iterations.
BilateralCase randomBilateral(std::mt19937_64& random, Extent extent, Distance distance, int maxRadius);

// Source `in`, perhaps `guide`, the module, sink `out`.
MemoryGraph graphWithGuide(const std::string& module, const Image& input, const std::optional<Image>& guide);

// What rounding to a format may add to errors that `relative`, of values, and `steps` of the format bound.
void expectWithin(const Image& device, const Picture& reference, double relative, double steps);

}  // namespace lacuna::test
