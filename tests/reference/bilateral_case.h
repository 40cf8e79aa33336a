#pragma once
// Random settings of the bilateral filter as graphs, for `bilateral` and `bilateral-separable`.

#include "tests/reference/bilateral.h"

namespace lacuna::test {

inline constexpr Extent bilateralExtents[] = {{1, 1}, {17, 1}, {3, 29}, {127, 101}};

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

// What a pipeline is compiled for, which on a CPU takes a good part of a second.
struct BilateralStructure {
  Format format = Format::u8;
  Channels channels = Channels::rgba;
  std::optional<std::pair<Format, Channels>> guide;
  Border border = Border::reflect101;
  int radius = 1;
  int iterations = 1;
};

// One for each radius. Of any four in a row each format, each kind of channels and each border is that of
// one, and one iterates twice; every third has a guide.
std::vector<BilateralStructure> randomStructures(std::mt19937_64& random,
                                                 const std::vector<int>& largestRadii);

// Values at random, now and then special ones.
BilateralCase randomBilateral(std::mt19937_64& random, const BilateralStructure& structure, Extent extent,
                              Distance distance);

// Source `in`, perhaps `guide`, the module, sink `out`.
MemoryGraph graphWithGuide(const std::string& module, const Image& input, const std::optional<Image>& guide);

// What rounding to a format may add to errors that `relative`, of values, and `steps` of the format bound.
void expectWithin(const Image& device, const Picture& reference, double relative, double steps);

}  // namespace lacuna::test
