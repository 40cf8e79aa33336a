#pragma once
// Blocks of 8x8 pixels, as energy and chroma see pictures.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/reference/reference.h"

namespace lacuna::test {

inline constexpr int blockSide = 8;

// Others count in no block.
inline bool isLight(const double* colour) {
  return std::all_of(colour, colour + 3, [](double v) { return v >= 0.0 && v < 1e30; });
}

// A component at a pixel, interpolated between the blocks' centres.
inline double between(const Picture& blocks, int x, int y, int c) {
  const double column = (x + 0.5) / blockSide - 0.5, row = (y + 0.5) / blockSide - 0.5;
  const auto at = [&](int i, int j) {
    return blocks.at(std::clamp(i, 0, blocks.width - 1), std::clamp(j, 0, blocks.height - 1))[c];
  };
  const int i = static_cast<int>(std::floor(column)), j = static_cast<int>(std::floor(row));
  return std::lerp(std::lerp(at(i, j), at(i + 1, j), column - i),
                   std::lerp(at(i, j + 1), at(i + 1, j + 1), column - i), row - j);
}

// What a module makes of a denoised picture, `input`, and of that before.
inline Image besideNoisy(const std::string& module, const Image& input, const Image& noisy,
                         const std::string& parameters = {}) {
  MemoryGraph graph = graphAround(
      module, input,
      fmt::format("module:i-memory:noisy\nconnect:i-memory:noisy:output:{}:01:noisy\n", module) + parameters);
  graph.sources["noisy"] = noisy;
  return run(graph, "auto").at("out");
}

}  // namespace lacuna::test
