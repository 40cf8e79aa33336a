#include "tests/reference/bilateral_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/bilateral_colours.h"

namespace lacuna::test {
namespace {

const Format formats[] = {Format::u8, Format::u16, Format::f16, Format::f32};
const Channels channelsOf[] = {Channels::rgba, Channels::y, Channels::rgb, Channels::mv};

// Floats are about 1, where differences of .05 to .5 are edges, a bit less in 8-bit levels; Lab goes to 100.
double randomRange(std::mt19937_64& random, const BilateralCase& c) {
  const bool levels =
      c.filter.distance == Distance::lab || isInteger((c.guide ? *c.guide : c.input).type.format);
  return 0.001 * pick(random, 50, 500) * (levels ? 120.0 : 255.0);
}

}  // namespace

MemoryGraph graphWithGuide(const std::string& module, const Image& input, const std::optional<Image>& guide) {
  MemoryGraph graph = graphAround(module, input, "");
  if (guide) {
    graph.text += fmt::format("i-memory:guide guide={}\n", module);
    graph.sources["guide"] = *guide;
  }
  return graph;
}

std::optional<Stored> BilateralCase::storedGuide() const {
  return guide ? std::optional<Stored>({pictureOf(*guide), guide->type}) : std::nullopt;
}

MemoryGraph BilateralCase::graph() const {
  MemoryGraph graph = graphWithGuide(module, input, guide);
  const auto set = [&](const char* name, const auto& value) {
    graph.text += fmt::format("param:{}:01:{}:{}\n", module, name, value);
  };
  set("radius", filter.radius);
  set("sigma_space", filter.sigmaSpace);
  set("sigma_range", filter.sigmaRange);
  set("distance", distanceNames[static_cast<size_t>(filter.distance)]);
  set("border", borderNames[static_cast<size_t>(filter.border)]);
  if (filter.iterations > 1)
    set("iterations", filter.iterations);
  return graph;
}

std::string BilateralCase::text() const {
  return fmt::format("{}{}\n{}", print(input.type), guide ? ", guide " + print(guide->type) : "",
                     graph().text);
}

std::vector<BilateralStructure> randomStructures(std::mt19937_64& random,
                                                 const std::vector<int>& largestRadii) {
  const int offsets[] = {pick(random, 0, 3), pick(random, 0, 3), pick(random, 0, 3), pick(random, 0, 3),
                         pick(random, 0, 2)};
  std::vector<BilateralStructure> structures;
  for (int i = 0; i < static_cast<int>(largestRadii.size()); ++i) {
    BilateralStructure s;
    s.format = formats[(i + offsets[0]) % 4];
    s.channels = channelsOf[(i + offsets[1]) % 4];
    s.colour = i / 2 % 2 == 0 ? ColourTag::rec709 : ColourTag::rec2020;  // rgba and rgb are two apart
    s.border = static_cast<Border>((i + offsets[2]) % 4);
    s.iterations = (i + offsets[3]) % 4 == 0 ? 2 : 1;
    if ((i + offsets[4]) % 3 == 0)
      s.guide = {formats[pick(random, 0, 3)], channelsOf[pick(random, 0, 3)]};
    s.radius = pick(random, 1, largestRadii[static_cast<size_t>(i)]);
    structures.push_back(s);
  }
  return structures;
}

BilateralCase randomBilateral(std::mt19937_64& random, const BilateralStructure& structure, Extent extent,
                              Distance distance) {
  BilateralCase c;
  // Lab of infinite values is not defined, and integer formats have no NaN.
  const bool specials = distance != Distance::lab && !isInteger(structure.format) && pick(random, 0, 2) == 0;
  const auto drawn = [&](Channels channels, Format format) {
    Image image = randomImage(random, channels, format, extent, specials && !isInteger(format));
    if (distance == Distance::lab && (channels == Channels::rgb || channels == Channels::rgba))
      image.type.colour = structure.colour;
    return image;
  };
  c.input = drawn(structure.channels, structure.format);
  if (structure.guide)
    c.guide = drawn(structure.guide->second, structure.guide->first);
  c.filter.distance = distance;
  c.filter.radius = structure.radius;
  c.filter.sigmaSpace = 0.001 * pick(random, 500, 8000);
  c.filter.sigmaRange = randomRange(random, c);
  c.filter.border = structure.border;
  c.filter.iterations = structure.iterations;
  return c;
}

void expectWithin(const Image& device, const Picture& reference, double relative, double steps) {
  const Deviation d = deviation(device, reference, [&](int, int, int, double b) {
    return relative * std::max(std::abs(b), 0.1) + steps * stepOf(device.type.format, b);
  });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

}  // namespace lacuna::test
