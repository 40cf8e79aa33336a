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

// Choices that need another pipeline, which takes most of a second to compile on a CPU.
struct BilateralStructure {
  Format format = Format::u8;
  Channels channels = Channels::rgba;
  ColourTag colour = ColourTag::rec709;  // of input and guide, where Lab depends on it
  std::optional<std::pair<Format, Channels>> guide;
  Border border = Border::reflect101;
  int radius = 1;
  int iterations = 1;
};

// One for each radius. In any four in a row each format, kind of channels and border occurs once, and one
// iterates twice; every third has a guide.
std::vector<BilateralStructure> randomStructures(std::mt19937_64& random,
                                                 const std::vector<int>& largestRadii);

// Random values, some of them special.
BilateralCase randomBilateral(std::mt19937_64& random, const BilateralStructure& structure, Extent extent,
                              Distance distance);

// Source `in`, perhaps `guide`, the module, sink `out`.
MemoryGraph graphWithGuide(const std::string& module, const Image& input, const std::optional<Image>& guide);

// Errors may be `relative` times the value, plus `steps` of the format, besides its rounding.
void expectWithin(const Image& device, const Picture& reference, double relative, double steps);

}  // namespace lacuna::test
