#pragma once
// Blocks of 8x8 pixels, as energy, chroma and alpha-join see pictures.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/reference/reference.h"

namespace lacuna::test {

inline constexpr int blockSide = 8;

// Others count in no block.
inline bool isLight(const double* colour) {
  return std::all_of(colour, colour + 3, [](double v) { return v >= 0.0 && v < 1e30; });
}

// Sums, of colours in three components.
struct Blocks {
  Picture light, difference, squares, count;
};

inline Blocks blocksOf(const Picture& noisy, const Picture& input) {
  const Picture none((input.width + blockSide - 1) / blockSide, (input.height + blockSide - 1) / blockSide,
                     3);
  Blocks blocks{none, none, none, none};
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double *before = noisy.at(x, y), *after = input.at(x, y);
      for (int c = 0; c < 3 && isLight(before) && isLight(after); ++c) {
        blocks.light.at(x / blockSide, y / blockSide)[c] += after[c];
        const double difference = before[c] - after[c];
        blocks.difference.at(x / blockSide, y / blockSide)[c] += difference;
        blocks.squares.at(x / blockSide, y / blockSide)[c] += difference * difference;
        blocks.count.at(x / blockSide, y / blockSide)[c] += 1.0;
      }
    }
  }
  return blocks;
}

// A component at a pixel, interpolated between the blocks' centres, each of which counts by `weightOf(column,
// row)`.
template <typename WeightOf>
double between(const Picture& blocks, int x, int y, int c, const WeightOf& weightOf) {
  const double column = (x + 0.5) / blockSide - 0.5, row = (y + 0.5) / blockSide - 0.5;
  const int i = static_cast<int>(std::floor(column)), j = static_cast<int>(std::floor(row));
  double sum = 0.0, weights = 0.0;
  for (int k = 0; k < 4; ++k) {
    const int bx = std::clamp(i + k % 2, 0, blocks.width - 1),
              by = std::clamp(j + k / 2, 0, blocks.height - 1);
    const double w =
        (1.0 - std::abs(column - i - k % 2)) * (1.0 - std::abs(row - j - k / 2)) * weightOf(bx, by);
    sum += w * blocks.at(bx, by)[c];
    weights += w;
  }
  return sum / weights;
}
inline double between(const Picture& blocks, int x, int y, int c) {
  return between(blocks, x, y, c, [](int, int) { return 1.0; });
}

// What a module makes of a denoised picture, `input`, and of that before.
inline Image besideNoisy(const std::string& module, const Image& input, const Image& noisy,
                         const std::string& more = {}, const std::map<std::string, Image>& sources = {},
                         const std::string& schedule = "auto") {
  MemoryGraph graph = graphAround(module, input, fmt::format("i-memory:noisy noisy={}\n", module) + more);
  graph.sources["noisy"] = noisy;
  graph.sources.insert(sources.begin(), sources.end());
  return run(graph, schedule).at("out");
}

}  // namespace lacuna::test
