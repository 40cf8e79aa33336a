#include "tests/support/differences.h"

#include <fmt/format.h>

#include <cmath>

namespace lacuna::test {

std::string differences(const Image& a, const Image& b) {
  if (a.words.size() != b.words.size())
    return fmt::format("{} words, not {}", b.words.size(), a.words.size());
  size_t count = 0;
  std::string first;
  const int components = componentCount(a.type.channels);
  for (uint32_t y = 0; y < a.type.extent.height; ++y) {
    for (uint32_t x = 0; x < a.type.extent.width; ++x) {
      for (int c = 0; c < components; ++c) {
        const double u = a.at(x, y, c);
        const double v = b.at(x, y, c);
        const bool same = (std::isnan(u) && std::isnan(v)) || (u == v && std::signbit(u) == std::signbit(v));
        if (!same && count++ == 0)
          first = fmt::format("at {},{} component {}: {} is not {}", x, y, c, v, u);
      }
    }
  }
  return count == 0 ? "" : fmt::format("{} components differ, the first {}", count, first);
}

}  // namespace lacuna::test
