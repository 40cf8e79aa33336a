// The rules for pixels outside of an image, for every position near images of up to 9 pixels.

#include "tests/gpu/nodes_support.h"
#include "tests/reference/border.h"

namespace lacuna::test {
namespace {

constexpr int largestSide = 9, largestRadius = 3;

struct Case {
  int position, side, radius;
  Border mode;
};

std::vector<Case> everyCase() {
  std::vector<Case> cases;
  for (const Border mode : {Border::reflect101, Border::clamp, Border::validOnly, Border::zeroWeight}) {
    for (int side = 1; side <= largestSide; ++side) {
      for (int position = -3 * side; position < 4 * side; ++position)
        for (int radius = 0; radius <= largestRadius; ++radius)
          cases.push_back({position, side, radius, mode});
    }
  }
  return cases;
}

TEST(Borders, AreTheirDefinitions) {
  const std::vector<Case> cases = everyCase();
  Image image =
      makeImage(Channels::rgba, Format::f32, {static_cast<uint32_t>(cases.size()), 1}, ColourTag::data);
  for (uint32_t i = 0; i < cases.size(); ++i) {
    const double values[] = {double(cases[i].position), double(cases[i].side), double(cases[i].radius),
                             double(static_cast<int>(cases[i].mode))};
    for (int c = 0; c < 4; ++c)
      image.set(i, 0, c, values[c]);
  }
  MemoryGraph graph = nodesOf({{"in", image}},
                              "i-memory:in borders:01:taps o-memory:taps\nborders:01:keeps o-memory:keeps\n");
  const auto results = run(graph, "auto");
  for (uint32_t i = 0; i < cases.size(); ++i) {
    const auto& [position, side, radius, mode] = cases[i];
    SCOPED_TRACE(fmt::format("position {} of {}, radius {}, {}", position, side, radius,
                             borderNames[static_cast<int>(mode)]));
    const Image& taps = results.at("taps");
    const bool isInside = position >= 0 && position < side;
    const int nearest = std::clamp(position, 0, side - 1);
    const int stands = mode == Border::validOnly ? nearest : standIn(position, side, mode).value_or(nearest);
    ASSERT_EQ(taps.at(i, 0, 0), stands);
    if (position > -side && position < 2 * side - 1)
      ASSERT_EQ(taps.at(i, 0, 1), stands);
    int first = -radius, last = radius;
    if (mode == Border::zeroWeight && isInside) {
      while (!standIn(position + first, side, mode))
        ++first;
      while (!standIn(position + last, side, mode))
        --last;
    }
    if (isInside) {
      ASSERT_EQ(taps.at(i, 0, 2), first);
      ASSERT_EQ(taps.at(i, 0, 3), last);
      const bool reachesOutside = position - radius < 0 || position + radius >= side;
      ASSERT_EQ(results.at("keeps").at(i, 0, 0), mode == Border::validOnly && reachesOutside ? 1.0 : 0.0);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
