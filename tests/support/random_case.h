#pragma once
// Random graphs around one filter.

#include "tests/support/memory_graph.h"
#include "tests/support/random.h"

namespace lacuna::test {

struct RandomCase {
  MemoryGraph graph;
  std::string description;
  int levels = 1;
  bool half = true;       // format of the levels
  bool specials = false;  // NaN and Inf among the values
  int frames = 1;
};

Extent randomExtent(std::mt19937_64& random);  // 1x1 to 701x603, primes and thin strips among them

// A smooth image with edges and noise; `specials`: some pixels are NaN, infinite, huge, tiny or negative.
Image randomImage(std::mt19937_64& random, Channels channels, Format format, Extent extent, bool specials);

// A renderer's plane: "input", "albedo", or "normal", "depth" and "motion" of one surface, slightly rough, so
// that history is found wherever motion leads inside the picture.
Image surfaceImage(std::mt19937_64& random, const std::string& plane, Extent extent);

RandomCase randomEaw(std::mt19937_64& random);
RandomCase randomGuided(std::mt19937_64& random);
RandomCase randomSvgf(std::mt19937_64& random);  // three frames, for its history

}  // namespace lacuna::test
