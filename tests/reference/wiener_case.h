#pragma once
// wiener around pictures in memory.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tests/reference/reference.h"
#include "tests/references/wiener.h"

namespace lacuna::test {

// In arrays: the noise comes from its two inputs.
inline MemoryGraph wienerGraph(const Image& input, const Image& pilot, const WienerParameters& p) {
  MemoryGraph graph = graphAround("wiener", input, "i-memory:pilot pilot=wiener\n" + p.text());
  graph.sources["pilot"] = pilot;
  if (p.arrays) {
    const std::pair<const char*, std::array<double, 4>> arrays[] = {
        {"noise", {p.curve.noise, p.curve.power, p.curve.offset, p.curve.clipped}},
        {"levels_noise",
         {p.levelNoise.fine, p.levelNoise.coarse, p.levelNoise.colourFine, p.levelNoise.colourCoarse}}};
    for (const auto& [name, numbers] : arrays) {
      graph.text += fmt::format("i-array:{0} {0}=wiener\n", name);
      Image& array = graph.sources[name];
      array.type = {Channels::y, Format::f32, ColourTag::data, {}, 4};
      for (const double number : numbers)
        array.words.push_back(std::bit_cast<uint32_t>(static_cast<float>(number)));
    }
    graph.modulePath.push_back(testFolder() + "/gpu/modules");
  }
  return graph;
}

// White noise of the curve, cut off where the parameters say that it was.
inline Image withNoise(std::mt19937_64& random, const Image& clean, const WienerParameters& p) {
  std::normal_distribution<double> normal(0.0, 1.0);
  Image noisy = clean;
  for (uint32_t i = 0; i < clean.type.extent.width * clean.type.extent.height * 3; ++i) {
    const uint32_t x = i / 3 % clean.type.extent.width, y = i / 3 / clean.type.extent.width;
    const int c = static_cast<int>(i % 3);
    const double light = clean.at(x, y, c);
    double v = light + p.curve.at(std::max(light, 0.0)) * normal(random);
    if (p.bounded)
      v = std::clamp(v, 0.0, 1.0);
    else if (p.curve.clipped > 0.0)
      v = std::max(v, 0.0);
    noisy.set(x, y, c, v);
  }
  return noisy;
}

// Stripes, an edge, a woven texture: what a filter of single pixels smooths away.
inline Image wovenPicture(Extent extent, double contrast = 0.15) {
  Image image = makeImage(Channels::rgba, Format::f32, extent);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const bool isWoven = 3 * x > 2 * extent.width, isStriped = 3 * x < extent.width;
      const double texture = isStriped ? std::sin(0.9 * x + 0.35 * y)
                             : isWoven ? std::sin(1.3 * x) * std::sin(1.1 * y)
                             : x + y > (extent.width + extent.height) / 2 ? 1.0
                                                                          : -1.0;
      for (int c = 0; c < 3; ++c)
        image.set(x, y, c, 0.45 - 0.05 * c + contrast * texture);
      image.set(x, y, 3, 1.0 - 0.001 * (x % 100));
    }
  }
  return image;
}

}  // namespace lacuna::test
